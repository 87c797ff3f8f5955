import { afterAll, beforeAll, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { advanceCheckpoint, writeCheckpoint } from '../../projections/runner/checkpoints.ts'
import { openTestDatabase } from '../../test/support/databases/openTestDatabase.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { readModelStatuses } from './readModelStatus.ts'

let database: PostgresDatabase
let close: () => Promise<void>
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())

test('a read model reports how many events it lacks, since when, and when it last moved', async () => {
  const store = new MemoryEventStore()
  const positions: Position[] = []
  for (let n = 0; n < 3; n++) positions.push((await store.append('ledger-1', 'any', [anEvent()])).position)
  const [first, second, third] = positions as [Position, Position, Position]
  const { events } = await store.readAll({ after: BEGINNING, limit: 3 })
  const nowMs = Date.parse(events[2]?.recordedAt ?? '') + 60_000
  const ages = events.map(({ recordedAt }) => (nowMs - Date.parse(recordedAt)) / 1_000)
  const [current, behind, fresh, old] = PROJECTIONS.slice(0, 4) as [Model, Model, Model, Model]
  await writeCheckpoint(database, current, ['all'], third)
  // Of two partitions, the one that is further behind counts.
  await writeCheckpoint(database, behind, ['ledger/0', 'ledger/1'], first)
  await advanceCheckpoint(database, { projection: behind, partition: 'ledger/1', from: first, to: second })
  await writeCheckpoint(database, fresh, ['all'])
  await writeCheckpoint(database, { ...old, version: old.version + 1 }, ['all'], third)

  const statuses = await readModelStatuses({ database, store, usesKafka: false }, nowMs)
  expect(statuses.map(({ name }) => name)).toEqual(PROJECTIONS.map(({ name }) => name))
  expect(statuses.slice(0, 5)).toEqual([
    { ...statusOf(current), lagEvents: 0, lagSeconds: 0, movedAt: expect.any(String) },
    { ...statusOf(behind), lagEvents: 2, lagSeconds: ages[1], movedAt: expect.any(String) },
    { ...statusOf(fresh), lagEvents: 3, lagSeconds: ages[0], movedAt: null },
    { ...statusOf(old), version: old.version + 1, lagEvents: 0, lagSeconds: 0, movedAt: expect.any(String) },
    { ...statusOf(PROJECTIONS[4] as Model), version: null, lagEvents: null, lagSeconds: null, movedAt: null },
  ])
})

type Model = (typeof PROJECTIONS)[number]

function statusOf({ name, version }: Model) {
  return { name, version, currentVersion: version }
}
