import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import { anEvent } from '../../../../test/support/events.ts'
import { until } from '../../../../test/support/until.ts'
import type { EventPage } from './eventPages.ts'
import { LIVE_TAIL_BYTES_MAX, LIVE_TAIL_EVENTS_MAX, LiveTail } from './liveTail.ts'
import { positionOf } from './position.ts'

const at = (position: number): RecordedEvent => ({
  ...anEvent(),
  stream: 'test-1',
  revision: position - 1,
  position: positionOf(position),
  recordedAt: '2026-01-01T00:00:00.000Z',
})
const NOBODY_LISTENS = 'postgres://127.0.0.1:1/nothing'

let reading: PromiseWithResolvers<EventPage>
let reads = 0
let tail: LiveTail
const end = new AbortController()

beforeEach(async () => {
  reads = 0
  reading = Promise.withResolvers()
  tail = new LiveTail(NOBODY_LISTENS, () => {
    reads++
    return reading.promise
  })
  void tail.more(0, end.signal)
  await until('the tail reads', () => reads === 1)
})
afterEach(async () => {
  reading.resolve(page([]))
  await tail.close()
})

const page = (events: RecordedEvent[], isFull = false): EventPage => ({ events, bytes: events.length, isFull })
const offer = (...events: RecordedEvent[]) => offerSized(events.length, ...events)
const offerSized = (bytes: number, ...events: RecordedEvent[]) =>
  tail.offer(Number(events[0]?.position) - 1, bytes, () => events)
const known = () => tail.after(0, 10)?.map((event) => Number(event.position))

test('what this process stored is there at once, without asking the database', () => {
  offer(at(1), at(2))
  offer(at(3))
  expect(known()).toEqual([1, 2, 3])
})

test('what does not follow on what is known waits for the read, so that nothing is skipped', () => {
  offer(at(2))
  expect(known()).toEqual([])
})

test('what a read brings that was offered meanwhile is not there twice', async () => {
  offer(at(1), at(2))
  reading.resolve(page([at(1), at(2), at(3)]))
  await until('the third is there', () => known()?.length === 3)
  expect(known()).toEqual([1, 2, 3])
})

test('what did not fit the page is read at once, although nobody tells of it', async () => {
  const { promise, resolve } = Promise.withResolvers<EventPage>()
  const first = reading
  reading = { ...reading, promise, resolve }
  first.resolve(page([at(1)], true))
  await until('it reads again', () => reads === 2)
  resolve(page([at(2)]))
  await until('the second is there', () => known()?.length === 2)
})

test('keeps no more than so many bytes of the newest: who is further behind asks the database', () => {
  const third = LIVE_TAIL_BYTES_MAX / 3
  for (let position = 1; position <= 6; position++) offerSized(third, at(position))
  expect(known()).toHaveLength(6)
  offerSized(third, at(7))
  expect(known()).toBeUndefined()
  expect(tail.after(3, 10)).toBeNull()
  expect(tail.after(4, 10)?.map((event) => Number(event.position))).toEqual([5, 6, 7])
  offerSized(3 * LIVE_TAIL_BYTES_MAX, at(8))
  expect(tail.after(7, 10)).toBeNull()
  expect(tail.after(8, 10)).toEqual([])
})

test('keeps no more than so many events', () => {
  const events = Array.from({ length: 2 * LIVE_TAIL_EVENTS_MAX }, (_, n) => at(n + 1))
  for (let n = 0; n < events.length; n += 1_000) offer(...events.slice(n, n + 1_000))
  expect(known()).toHaveLength(10)
  offer(at(events.length + 1))
  expect(known()).toBeUndefined()
  // What came together goes together.
  expect(tail.after(events.length - 4_000, 10_000)).toHaveLength(4_001)
  expect(tail.after(events.length - 4_001, 10_000)).toBeNull()
})
