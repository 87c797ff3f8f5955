import { expect, test } from 'vitest'
import { EVENT_RATE_MS, EventRate } from './eventRate.ts'

test('the rate is that of the time since it was last measured', () => {
  const rate = new EventRate(0, 0)
  expect(rate.perSecond(2_000, 1_000)).toBe(2_000)
  expect(rate.perSecond(2_000, 1_001)).toBe(2_000)
  expect(rate.perSecond(3_999, 2_000)).toBe(1_999)
  expect(rate.perSecond(3_999, 3_000)).toBe(0)
})

test('a burst of a few milliseconds is not a rate', () => {
  const rate = new EventRate(0, 0)
  expect(rate.perSecond(50, 2)).toBe(0)
  expect(rate.perSecond(50, EVENT_RATE_MS)).toBe(500)
})
