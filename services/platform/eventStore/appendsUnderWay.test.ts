import { beforeEach, expect, test } from 'vitest'
import { LIMITS } from '../../../contracts/limits.ts'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { AppendsUnderWay } from './appendsUnderWay.ts'

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
  await clock.advance(LIMITS.appendsSilentMs)
  expect(appends.isHeldUp).toBe(false)
})

test('a store that says nothing holds up, until it answers anything', async () => {
  appends.begin()
  await clock.advance(LIMITS.appendsSilentMs + 1)
  expect(appends.isHeldUp).toBe(true)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
})

test('one append that never ends holds nobody up while others are answered; many that wait do', async () => {
  appends.begin()
  await clock.advance(LIMITS.appendsSlowMs + 1)
  appends.answered()
  expect(appends.isHeldUp).toBe(false)
  for (let n = 0; n < LIMITS.appendsSlowMax; n++) appends.begin()
  expect(appends.isHeldUp).toBe(true)
})
