import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { anEvent } from '../../../test/support/events/events.ts'

let harness: PostgresStoreHarness
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  await harness.store.append('ledger-a', 'any', [anEvent(), anEvent()])
})
afterAll(() => harness.close())

const CHANGES = [
  "update event_store.events set type = 'CreditsGranted'",
  'delete from event_store.events where revision = 1',
  'truncate event_store.events',
]
const stored = () => harness.database.query('select position, type from event_store.events order by position')

test.each(CHANGES)('the owner of the table is refused: %s', async (change) => {
  const before = await stored()
  await expect(harness.database.query(change)).rejects.toThrow('events are never changed or removed')
  // A superuser that replays changes of a replica fires no ordinary trigger.
  const asReplica = harness.database.transaction(async (sql) => {
    await sql.query('set local session_replication_role to replica')
    await sql.query(change)
  })
  await expect(asReplica).rejects.toThrow('events are never changed or removed')
  expect(await stored()).toEqual(before)
})

test.each(CHANGES)('a role that may change the table is refused: %s', async (change) => {
  const { database } = harness
  const role = `service_${process.pid}`
  await expect(
    database.transaction(async (sql) => {
      await sql.query(`create role ${role}`)
      await sql.query(`grant usage on schema event_store to ${role}`)
      await sql.query(`grant all on event_store.events to ${role}`)
      await sql.query(`set local role ${role}`)
      await sql.query(change)
    }),
  ).rejects.toThrow('events are never changed or removed')
})

test('after tampering as the owner, changes are refused again', async () => {
  await tamper(harness.database, 'delete from event_store.events where revision = 1')
  expect(await stored()).toHaveLength(1)
  for (const change of CHANGES) await expect(harness.database.query(change)).rejects.toThrow('events are never changed')
  await harness.store.append('ledger-b', 'any', [anEvent()])
})
