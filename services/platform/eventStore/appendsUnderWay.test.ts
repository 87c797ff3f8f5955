import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { AppendsUnderWay } from './appendsUnderWay.ts'

let clock: ManualClock
let appends: AppendsUnderWay

beforeEach(() => {
  clock = new ManualClock()
  appends = new AppendsUnderWay(clock)
})

test('there is no silence while nothing is under way, however long ago the last append was', async () => {
  const done = appends.begin()
  appends.answered()
  done()
  await clock.advance(60_000)
  expect([appends.silentMs, appends.oldestMs]).toEqual([0, 0])
  appends.begin()
  expect([appends.silentMs, appends.oldestMs]).toEqual([0, 0])
})

test('the oldest append that is waited for counts, also while others are answered', async () => {
  appends.begin()
  await clock.advance(1_000)
  const done = appends.begin()
  await clock.advance(500)
  appends.answered()
  done()
  expect([appends.silentMs, appends.oldestMs]).toEqual([0, 1_500])
})

test('while all are pursued behind, the silence of the store counts, and ends with its first answer', async () => {
  const pursuit = Promise.withResolvers<void>()
  const done = appends.begin()
  appends.pursued(pursuit.promise)
  await clock.advance(10_000)
  done()
  await clock.advance(5_000)
  expect([appends.silentMs, appends.oldestMs]).toEqual([15_000, 0])
  appends.answered()
  expect(appends.silentMs).toBe(0)
  await clock.advance(3_000)
  expect(appends.silentMs).toBe(3_000)
  pursuit.reject(new Error('refused'))
  await Promise.allSettled([pursuit.promise])
  expect(appends.silentMs).toBe(0)
})
