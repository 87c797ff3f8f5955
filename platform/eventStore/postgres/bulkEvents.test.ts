import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { tamper } from '../../../test/support/databases/tamper.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import type { EventText } from '../port.ts'

let harness: PostgresStoreHarness
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
})
afterAll(() => harness.close())

const [a, b, c] = ['ledger-a', 'ledger-b', 'company-c']
let head: Position

/** Two streams, at revisions 1 and 0. */
beforeEach(async () => {
  await tamper(harness.database, 'truncate event_store.events, event_store.streams')
  await harness.database.query('update event_store.counter set position = 0')
  head = await harness.store.bulk.append(BEGINNING, [at(a, 0), at(b, 0), at(a, 1)])
})

const at = (stream: string, revision: number, id: string = randomUUID()): EventText => ({
  ...{ stream, revision, id, type: 'Happened' },
  data: `{"revision": ${revision}, "text": "Zürich \\u001e"}`,
  metadata: JSON.stringify(anEvent().metadata),
})

const all = async () => (await harness.store.readAll({ after: BEGINNING, limit: 100 })).events

test('events of old and new streams are stored in their order, each at its revision', async () => {
  const events = [at(a, 2), at(c, 0), at(b, 1), at(a, 3), at(c, 1)]
  expect(await harness.store.bulk.append(head, events)).toBe(await harness.store.head())
  const stored = (await all()).slice(3)
  expect(stored.map(({ stream, revision, id, data }) => ({ stream, revision, id, data }))).toEqual(
    events.map(({ stream, revision, id, data }) => ({ stream, revision, id, data: JSON.parse(data) })),
  )
  expect(stored.map(({ position }) => Number(position))).toEqual([4, 5, 6, 7, 8])
})

test('an append to a stream follows the events that were written in bulk', async () => {
  await harness.store.bulk.append(head, [at(c, 0), at(a, 2)])
  expect(await harness.store.append(a, 2, [anEvent()])).toMatchObject({ revision: 3, repeated: false })
  expect(await harness.store.append(c, 'any', [anEvent()])).toMatchObject({ revision: 1 })
})

test('what was stored is read back as the same texts', async () => {
  const events = [at(c, 0), at(a, 2)]
  await harness.store.bulk.append(head, events)
  const page = await harness.store.bulk.read(head)
  expect(page.events.map(({ position: _, ...event }) => event)).toEqual(events)
  expect(page.position).toBe(await harness.store.head())
  expect(await harness.store.bulk.read(page.position)).toEqual({ events: [], position: page.position })
})

test.each<[string, () => { after?: Position; events: EventText[] }]>([
  ['the store has more events', () => ({ after: BEGINNING, events: [at(a, 2)] })],
  ['a stream is behind the revision', () => ({ events: [at(c, 0), at(b, 2)] })],
  ['a stream is past the revision', () => ({ events: [at(c, 0), at(a, 1)] })],
  ['a new stream exists', () => ({ events: [at(c, 0), at(a, 0)] })],
  ['a stream with revisions does not exist', () => ({ events: [at(a, 2), at(c, 1)] })],
  ['a revision is left out', () => ({ events: [at(c, 0), at(a, 2), at(a, 4)] })],
  ['the data of one event is not JSON', () => ({ events: [at(c, 0), { ...at(a, 2), data: '{' }] })],
])('nothing is stored if %s', async (_, wrong) => {
  const { after = head, events } = wrong()
  const before = await all()
  await expect(harness.store.bulk.append(after, events)).rejects.toThrow()
  expect(await all()).toEqual(before)
  expect(await harness.store.head()).toBe(head)
  expect(await harness.store.append(a, 1, [anEvent()])).toMatchObject({ revision: 2 })
  expect(await harness.store.append(c, 'none', [anEvent()])).toMatchObject({ revision: 0 })
})

test('nothing is stored if an id is in the stream already', async () => {
  const [first] = await all()
  await expect(harness.store.bulk.append(head, [at(c, 0), at(a, 2, first?.id)])).rejects.toThrow()
  expect(await harness.store.head()).toBe(head)
})
