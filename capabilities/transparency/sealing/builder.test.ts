import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import type { Sql, SqlRow } from '../../../projections/runner/ports.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { chargeOf } from '../../../test/support/transparency/sealedTransparencyLog.ts'
import { GrowingTree } from '../growingTree.ts'
import { leafHash } from '../hashes.ts'
import { TransparencyBuilder } from './builder.ts'
import { SEALED_SCHEMA } from './tables.ts'

const ENTRIES = 20_000
const PAGE_EVENTS = 500
/** A line of a query plan may list all ids of a page. */
const LINE_CHARS_MAX = 200

/** Runs statements, and keeps the query plan of each that reads the log. */
function planned(sql: Sql): { readonly sql: Sql; readonly plans: string[] } {
  const plans: string[] = []
  const query = async <Row extends SqlRow>(text: string, values?: readonly unknown[]): Promise<Row[]> => {
    const lines = await sql.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    const plan = lines.map((line) => line['QUERY PLAN'].slice(0, LINE_CHARS_MAX)).join('\n')
    if (text.includes(`${SEALED_SCHEMA}.entries`)) plans.push(plan)
    return sql.query<Row>(text, values)
  }
  return { sql: { query }, plans }
}

/** As after a restore: the log has grown, and the database has not analyzed it yet. */
test('events that may be sealed already are looked up by an index in a log without statistics', async () => {
  const { database, close } = await openTestDatabase('migrated')
  try {
    const companyId = randomUUID()
    const store = new MemoryEventStore({ idsAreUnique: false })
    const charges = Array.from({ length: PAGE_EVENTS }, () => chargeOf(companyId))
    store.write(streamName('ledger', companyId), 'any', charges)
    const page = await store.readAll({ after: BEGINNING, limit: PAGE_EVENTS })

    await database.query(`alter table ${SEALED_SCHEMA}.entries set (autovacuum_enabled = false)`)
    await database.query(
      `insert into ${SEALED_SCHEMA}.entries (index, entry, event_id, company_id, number, revision, recorded_at)
       select n - 1, sha256(n::text::bytea), coalesce(($1::uuid[])[n], gen_random_uuid()), $2, n - 1, n - 1, now()
       from generate_series(1, $3::int) as n`,
      [charges.map(({ id }) => id), companyId, ENTRIES],
    )
    const statistics = "select from pg_stats where schemaname = $1 and tablename = 'entries'"
    expect(await database.query(statistics, [SEALED_SCHEMA])).toEqual([])

    const tree = GrowingTree.resume(0, [])
    for (let n = 0; n < ENTRIES; n++) tree.append(leafHash(Buffer.from(String(n))))
    const builder = new TransparencyBuilder({ schema: SEALED_SCHEMA, tree, idsAreUnique: false, createsSecrets: false })
    const { sql, plans } = planned(database)
    expect((await builder.add(sql, page, BEGINNING, false)).entries).toEqual([])
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatch(/Index (Only )?Scan .*entries_event_id_company_id_key/)
    expect(plans[0]).not.toContain('Seq Scan')
  } finally {
    await close()
  }
})
