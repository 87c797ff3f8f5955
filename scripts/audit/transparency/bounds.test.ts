import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { readBounds } from './bounds.ts'

/** In the order of their ids, with the entries of each. */
const logged = Array.from({ length: 5 }, () => randomUUID())
  .toSorted()
  .map((companyId, n) => ({ companyId, entries: n + 1 }))
const withSecret = randomUUID()
const withBalance = randomUUID()

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('with read models'))
  let index = 0
  for (const { companyId, entries } of logged) {
    await database.query(
      `insert into ledger_log.entries (index, entry, event_id, company_id, number, revision, recorded_at)
       select $2::bigint + n, '', gen_random_uuid(), $1, n, n, now() from generate_series(0, $3::bigint - 1) as n`,
      [companyId, index, entries],
    )
    index += entries
  }
  await database.query("insert into platform.log_secrets (company_id, secret) values ($1, sha256(''))", [withSecret])
  await database.query('insert into read_models.credit_balances values ($1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 7, now())', [
    withBalance,
  ])
})
afterAll(() => close?.())

test('an audit of the log finds every company that has entries, a secret or a balance', async () => {
  const { companies } = await readBounds({ database }, null)
  const found = companies.map(({ companyId, entries, balanceMicros }) => ({ companyId, entries, balanceMicros }))
  const expected = [
    ...logged.map((company) => ({ ...company, balanceMicros: 0n })),
    { companyId: withSecret, entries: 0, balanceMicros: 0n },
    { companyId: withBalance, entries: 0, balanceMicros: 7n },
  ]
  expect(found).toEqual(expected.toSorted((a, b) => (a.companyId < b.companyId ? -1 : 1)))
})
