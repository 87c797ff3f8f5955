import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { AppendsUnderWay } from './appendsUnderWay.ts'

let clock: ManualClock
let appends: AppendsUnderWay

beforeEach(() => {
  clock = new ManualClock()
  appends = new AppendsUnderWay(clock)
})

test('nobody is held up while nothing is under way, however long ago the last append was', async () => {
  const done = appends.begin()
  appends.stored()
  done()
  await clock.advance(60_000)
  expect(appends.heldUpMs).toBe(0)
  appends.begin()
  expect(appends.heldUpMs).toBe(0)
})

test('the oldest append that is waited for counts, also while others are stored', async () => {
  appends.begin()
  await clock.advance(1_000)
  const done = appends.begin()
  await clock.advance(500)
  appends.stored()
  done()
  expect(appends.heldUpMs).toBe(1_500)
})

test('while all are pursued behind, the silence of the store counts, and ends with the first that is stored', async () => {
  const pursuit = Promise.withResolvers<void>()
  const done = appends.begin()
  appends.pursued(pursuit.promise)
  await clock.advance(10_000)
  done()
  await clock.advance(5_000)
  expect(appends.heldUpMs).toBe(15_000)
  appends.stored()
  expect(appends.heldUpMs).toBe(0)
  await clock.advance(3_000)
  expect(appends.heldUpMs).toBe(3_000)
  pursuit.reject(new Error('refused'))
  await Promise.allSettled([pursuit.promise])
  expect(appends.heldUpMs).toBe(0)
})
