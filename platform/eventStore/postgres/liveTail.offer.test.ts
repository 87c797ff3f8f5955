import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { RECENT_EVENTS_BYTES_MAX, RECENT_EVENTS_MAX } from '../recentEvents.ts'
import type { EventPage } from './eventPages.ts'
import { LiveTail } from './liveTail.ts'
import { positionOf } from './positionNumber.ts'

const at = (position: number): RecordedEvent => ({
  ...anEvent(),
  stream: 'test-1',
  revision: position - 1,
  position: positionOf(position),
  recordedAt: '2026-01-01T00:00:00.000Z',
})
const CLOSED_PORT = 'postgres://127.0.0.1:1/nothing'

let reading: PromiseWithResolvers<EventPage>
let reads = 0
let tail: LiveTail
const end = new AbortController()

beforeEach(async () => {
  reads = 0
  reading = Promise.withResolvers()
  const readAfter = () => {
    reads++
    return reading.promise
  }
  tail = new LiveTail({ connecting: { connectionString: CLOSED_PORT }, readAfter, clock: systemClock })
  // It keeps events for a reader that has none of them yet.
  tail.readers.add({ position: BEGINNING })
  void tail.more(BEGINNING, end.signal)
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
const after = (position: number, limit: number) => tail.after(positionOf(position), limit)?.events ?? null
const known = () => after(0, 10)?.map((event) => Number(event.position))

test('offered events are available at once, without a read', () => {
  offer(at(1), at(2))
  offer(at(3))
  expect(known()).toEqual([1, 2, 3])
})

test('offered events that do not follow the last known one are left to the next read, so that none is skipped', () => {
  offer(at(2))
  expect(known()).toEqual([])
})

test('events that are offered during a read that returns them too are kept once', async () => {
  offer(at(1), at(2))
  reading.resolve(page([at(1), at(2), at(3)]))
  await until('the third is there', () => known()?.length === 3)
  expect(known()).toEqual([1, 2, 3])
})

test('after a full page the tail reads again at once, without a notification', async () => {
  const { promise, resolve } = Promise.withResolvers<EventPage>()
  const first = reading
  reading = { ...reading, promise, resolve }
  first.resolve(page([at(1)], true))
  await until('it reads again', () => reads === 2)
  resolve(page([at(2)]))
  await until('the second is there', () => known()?.length === 2)
})

test('the tail keeps a limited number of bytes, and a reader further behind must use the database', () => {
  const third = RECENT_EVENTS_BYTES_MAX / 3
  for (let position = 1; position <= 6; position++) offerSized(third, at(position))
  expect(known()).toHaveLength(6)
  offerSized(third, at(7))
  expect(known()).toBeUndefined()
  expect(after(3, 10)).toBeNull()
  expect(after(4, 10)?.map((event) => Number(event.position))).toEqual([5, 6, 7])
  offerSized(3 * RECENT_EVENTS_BYTES_MAX, at(8))
  expect(after(7, 10)).toBeNull()
  expect(after(8, 10)).toEqual([])
})

test('the tail keeps a limited number of events', () => {
  const events = Array.from({ length: 2 * RECENT_EVENTS_MAX }, (_, n) => at(n + 1))
  for (let n = 0; n < events.length; n += 1_000) offer(...events.slice(n, n + 1_000))
  expect(known()).toHaveLength(10)
  offer(at(events.length + 1))
  expect(known()).toBeUndefined()
  // Events that arrived in one batch are dropped together.
  expect(after(events.length - 4_000, 10_000)).toHaveLength(4_001)
  expect(after(events.length - 4_001, 10_000)).toBeNull()
})
