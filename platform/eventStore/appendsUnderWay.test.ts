import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { APPENDS_SILENT_MS, APPENDS_SLOW_MAX, APPENDS_SLOW_MS, AppendsUnderWay } from './appendsUnderWay.ts'

let clock: ManualClock
let appends: AppendsUnderWay

beforeEach(() => {
  clock = new ManualClock()
  appends = new AppendsUnderWay(clock)
})

test('the store does not count as held up while no append waits', async () => {
  const done = appends.begin()
  appends.answered()
  done()
  await clock.advance(60_000)
  expect(appends.isHeldUp).toBe(false)
  appends.begin()
  await clock.advance(APPENDS_SILENT_MS)
  expect(appends.isHeldUp).toBe(false)
})

test('a silent store counts as held up until it answers any append', async () => {
  appends.begin()
  await clock.advance(APPENDS_SILENT_MS + 1)
  expect(appends.isHeldUp).toBe(true)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
})

test('one slow append does not count as held up while others are answered, but many slow ones do', async () => {
  appends.begin()
  await clock.advance(APPENDS_SLOW_MS + 1)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
  for (let n = 0; n < APPENDS_SLOW_MAX; n++) appends.begin()
  expect(appends.isHeldUp).toBe(true)
})

test('time in which this process was stopped does not count against the store', async () => {
  appends.begin()
  await clock.advance(1_000)
  clock.stall(60_000)
  expect(appends.isHeldUp).toBe(false)
  await clock.advance(APPENDS_SILENT_MS)
  expect(appends.isHeldUp).toBe(true)
})
