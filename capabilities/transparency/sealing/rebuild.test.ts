import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { chargeOf } from '../../../test/support/transparency/sealedTransparencyLog.ts'
import { rebuildTransparency } from './rebuild.ts'

let harness: PostgresStoreHarness
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
})
afterAll(() => harness.close())

test.each([1, 2, 100])('an event that a store holds twice has one entry, in pages of %i events', async (limit) => {
  const { database } = harness
  const memory = new MemoryEventStore({ idsAreUnique: false })
  const [one, other] = [randomUUID(), randomUUID()]
  const [first, second, third] = [chargeOf(one), chargeOf(one), chargeOf(other)]
  for (const event of [first, first, second, first]) memory.write(streamName('ledger', one), 'any', [event])
  for (const event of [third, third]) memory.write(streamName('ledger', other), 'any', [event])
  const store: EventStore = Object.assign(Object.create(memory) as MemoryEventStore, {
    head: () => memory.head(),
    readAll: (options: Parameters<MemoryEventStore['readAll']>[0]) => memory.readAll({ ...options, limit }),
  })
  expect(await rebuildTransparency({ database, store, clock: systemClock, ids: systemIds })).toMatchObject({ size: 3 })
  const rows = await database.query('select event_id, number, revision from ledger_log.entries order by index')
  expect(rows).toEqual([
    { eventId: first.id, number: '0', revision: '0' },
    { eventId: second.id, number: '1', revision: '2' },
    { eventId: third.id, number: '0', revision: '0' },
  ])
})
