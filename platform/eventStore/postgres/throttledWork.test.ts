import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { ThrottledWork } from './throttledWork.ts'

const INTERVAL_MS = 10
let clock: ManualClock
let runs: number
let work: ThrottledWork

beforeEach(() => {
  clock = new ManualClock()
  runs = 0
  work = new ThrottledWork(INTERVAL_MS, clock, () => runs++)
})

test('a request after a quiet time runs at once', async () => {
  work.request()
  expect(runs).toBe(1)
  await clock.advance(INTERVAL_MS)
  work.request()
  expect(runs).toBe(2)
})

test('requests within the interval run once, at its end', async () => {
  for (let n = 0; n < 100; n++) work.request()
  expect(runs).toBe(1)
  await clock.advance(INTERVAL_MS - 1)
  expect(runs).toBe(1)
  await clock.advance(1)
  expect(runs).toBe(2)
  await clock.advance(10 * INTERVAL_MS)
  expect(runs).toBe(2)
})

test('a canceled request does not run', async () => {
  work.request()
  work.request()
  work.cancel()
  await clock.advance(INTERVAL_MS)
  expect(runs).toBe(1)
})
