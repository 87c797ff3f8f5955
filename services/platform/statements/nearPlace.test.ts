import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BLOCK_REVISIONS } from '../../../projections/ledgerBlocks/projection.ts'
import { openTestDatabase } from '../../../test/support/openTestDatabase.ts'
import { isoTime } from '../clock/clock.ts'
import type { PostgresDatabase } from '../postgres/database.ts'
import { NEAR_PLACE_NAME, nearPlace } from './nearPlace.ts'

const COMPANIES = 2
const BLOCKS = 20
const ENTRIES = BLOCKS * BLOCK_REVISIONS
const TABLES = ['ledger_log.entries', 'read_models.credit_transactions', 'read_models.ledger_blocks']
const BEGIN_MS = Date.parse('2026-03-01T00:00:00.000Z')
const timeOf = (revision: number) => isoTime(BEGIN_MS + revision * 1_000)
const companyId = randomUUID()
const LATE = ENTRIES - BLOCK_REVISIONS / 2

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('with read models'))
  for (const table of TABLES) await database.query(`alter table ${table} set (autovacuum_enabled = false)`)
  for (let n = 0; n < COMPANIES; n++) await fillLedger(n === 0 ? companyId : randomUUID(), n * ENTRIES)
})
afterAll(() => close?.())

/** Entries of one credit, a second apart, as the sealer and the projector would have stored them. */
async function fillLedger(company: string, firstIndex: number): Promise<void> {
  await database.query(
    `insert into ledger_log.entries (index, entry, event_id, company_id, number, revision, recorded_at)
     select $2::bigint + n, sha256(n::text::bytea), gen_random_uuid(), $1, n, n, $4::timestamptz + n * interval '1 second'
     from generate_series(0, $3::bigint - 1) as n`,
    [company, firstIndex, ENTRIES, timeOf(0)],
  )
  await database.query(
    `insert into read_models.credit_transactions (transaction_id, company_id, revision, type, amount_micros, occurred_at)
     select gen_random_uuid(), $1, n, 'USAGE', 1, $3::timestamptz from generate_series(0, $2::bigint - 1) as n`,
    [company, ENTRIES, timeOf(0)],
  )
  await database.query(
    `insert into read_models.ledger_blocks (company_id, level, block, events, delta_micros, latest_at)
     select $1::uuid, 0, n, ${BLOCK_REVISIONS}, ${BLOCK_REVISIONS},
       $3::timestamptz + ((n + 1) * ${BLOCK_REVISIONS} - 1) * interval '1 second'
     from generate_series(0, $2::bigint - 1) as n
     union all select $1::uuid, 1, 0, $2::bigint * ${BLOCK_REVISIONS}, $2::bigint * ${BLOCK_REVISIONS},
       $3::timestamptz + ($2::bigint * ${BLOCK_REVISIONS} - 1) * interval '1 second'`,
    [company, BLOCKS, timeOf(0)],
  )
}

/** The plan by which a connection that has prepared the statement executes it. */
function planOf(mode: 'custom' | 'generic'): Promise<string> {
  return database.transaction(async (sql) => {
    const place = await nearPlace(sql, companyId, timeOf(LATE))
    expect(place).toEqual({ revision: LATE, events: LATE, balanceMicros: BigInt(LATE), isBoundary: true })
    await sql.query(`set local plan_cache_mode = force_${mode}_plan`)
    const execute = `execute "${NEAR_PLACE_NAME}" ('${companyId}', '${timeOf(LATE)}')`
    const lines = await sql.query<{ 'QUERY PLAN': string }>(`explain ${execute}`)
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  })
}

test.each([
  ['custom', 'without statistics'],
  ['generic', 'without statistics'],
  ['custom', 'with statistics'],
  ['generic', 'with statistics'],
] as const)('a %s plan %s reads one block of the log and of the transactions', async (mode, statistics) => {
  if (statistics === 'with statistics') for (const table of TABLES) await database.query(`analyze ${table}`)
  const plan = await planOf(mode)
  expect(plan).not.toMatch(/Seq Scan on (entries|credit_transactions)/)
  expect(plan).toMatch(/entries_company_id_number_key.*\n +Index Cond: .*number >= /)
  expect(plan).toMatch(
    /credit_transactions_pkey.*\n +Index Cond: .*revision >= place.revision.* AND .*revision < near.revision/,
  )
})
