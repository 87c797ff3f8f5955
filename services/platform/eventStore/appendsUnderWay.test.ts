import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { APPENDS_SILENT_MS, APPENDS_SLOW_MAX, APPENDS_SLOW_MS, AppendsUnderWay } from './appendsUnderWay.ts'

let clock: ManualClock
let appends: AppendsUnderWay

beforeEach(() => {
  clock = new ManualClock()
  appends = new AppendsUnderWay(clock)
})

test('nobody is held up while nobody waits, however long ago the last answer was', async () => {
  const done = appends.begin()
  appends.answered()
  done()
  await clock.advance(60_000)
  expect(appends.isHeldUp).toBe(false)
  appends.begin()
  await clock.advance(APPENDS_SILENT_MS)
  expect(appends.isHeldUp).toBe(false)
})

test('a store that says nothing holds up, until it answers anything', async () => {
  appends.begin()
  await clock.advance(APPENDS_SILENT_MS + 1)
  expect(appends.isHeldUp).toBe(true)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
})

test('one append that never ends holds nobody up while others are answered; many that wait do', async () => {
  appends.begin()
  await clock.advance(APPENDS_SLOW_MS + 1)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
  for (let n = 0; n < APPENDS_SLOW_MAX; n++) appends.begin()
  expect(appends.isHeldUp).toBe(true)
})
