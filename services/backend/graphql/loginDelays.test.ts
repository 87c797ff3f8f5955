import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/manualClock.ts'
import { FREE_FAILURES, LoginDelays } from './loginDelays.ts'

const HOUR_MS = 3_600_000

test('the first failures cost no delay, each further one doubles it, up to a quarter of an hour', async () => {
  const clock = new ManualClock()
  const delays = new LoginDelays(clock)
  for (let n = 1; n < FREE_FAILURES; n++) delays.failed('a')
  expect(delays.waitMs('a')).toBe(0)
  const waits = Array.from({ length: 12 }, () => {
    delays.failed('a')
    return delays.waitMs('a')
  })
  expect(waits.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(waits.at(-1)).toBe(900_000)
  await clock.advance(900_000)
  expect(delays.waitMs('a')).toBe(0)
})

test('a success, or an hour without a failure, forgets the failures', async () => {
  const clock = new ManualClock()
  const delays = new LoginDelays(clock)
  for (let n = 0; n < 20; n++) delays.failed('a')
  delays.succeeded('a')
  expect(delays.waitMs('a')).toBe(0)
  for (let n = 0; n < 20; n++) delays.failed('a')
  await clock.advance(HOUR_MS)
  delays.failed('a')
  expect(delays.waitMs('a')).toBe(0)
})

test('pairs of address and account do not affect each other', () => {
  const delays = new LoginDelays(new ManualClock())
  for (let n = 0; n < 20; n++) delays.failed('a')
  expect(delays.waitMs('b')).toBe(0)
})
