import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import { anEvent } from '../../../../test/support/events.ts'
import { until } from '../../../../test/support/until.ts'
import { LiveTail } from './liveTail.ts'
import { positionOf } from './position.ts'

const at = (position: number): RecordedEvent => ({
  ...anEvent(),
  stream: 'test-1',
  revision: position - 1,
  position: positionOf(position),
  recordedAt: '2026-01-01T00:00:00.000Z',
})
const NOBODY_LISTENS = 'postgres://127.0.0.1:1/nothing'

let reading: PromiseWithResolvers<RecordedEvent[]>
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
  reading.resolve([])
  await tail.close()
})

const known = () => tail.after(0, 10)?.map((event) => Number(event.position))

test('what this process stored is there at once, without asking the database', () => {
  tail.offer(0, () => [at(1), at(2)])
  tail.offer(2, () => [at(3)])
  expect(known()).toEqual([1, 2, 3])
})

test('what does not follow on what is known waits for the read, so that nothing is skipped', () => {
  tail.offer(1, () => [at(2)])
  expect(known()).toEqual([])
})

test('what a read brings that was offered meanwhile is not there twice', async () => {
  tail.offer(0, () => [at(1), at(2)])
  reading.resolve([at(1), at(2), at(3)])
  await until('the third is there', () => known()?.length === 3)
  expect(known()).toEqual([1, 2, 3])
})
