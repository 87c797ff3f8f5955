import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { CHANGE_KEPT_MS } from '../../platform/sharedState/companyChanges/port.ts'
import { PostgresCompanyChanges } from '../../platform/sharedState/companyChanges/postgresCompanyChanges.ts'
import { openTestDatabase } from '../support/databases/openTestDatabase.ts'
import { ManualClock } from '../support/time/manualClock.ts'
import { companyChangesContract } from './companyChanges.ts'

companyChangesContract('changes of companies in Postgres', async () => {
  const { database, close } = await openTestDatabase('migrated')
  return { open: async () => new PostgresCompanyChanges(database, systemClock), close }
})

test('a change in Postgres is forgotten after the time for which changes are kept', async () => {
  const { database, close } = await openTestDatabase('migrated')
  const changes = new PostgresCompanyChanges(database, systemClock)
  const companyId = randomUUID()
  await changes.record(companyId, 'ledger', '7' as Position)
  const age = (ms: number) =>
    database.query("update platform.company_changes set changed_at = clock_timestamp() - $1 * interval '1 ms'", [ms])
  await age(CHANGE_KEPT_MS / 2)
  expect(await changes.read(companyId)).toEqual({ ledger: '7' })
  await age(CHANGE_KEPT_MS)
  expect(await changes.read(companyId)).toEqual({})
  await close()
})

test('Postgres that does not answer delays a refusal by half a second at most', async () => {
  const clock = new ManualClock()
  const changes = new PostgresCompanyChanges({ query: () => new Promise(() => {}) }, clock)
  const failures = [changes.read('a company'), changes.record('a company', 'ledger', '7' as Position)].map((asked) =>
    asked.catch((error: unknown) => error),
  )
  await clock.advance(500)
  for (const failure of failures) {
    expect(await Promise.race([failure, 'it still waits'])).toMatchObject({ message: 'no answer within 500 ms' })
  }
})
