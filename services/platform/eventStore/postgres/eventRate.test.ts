import { expect, test } from 'vitest'
import { EVENT_RATE_MS, EventRate, HEAVY_EVENTS_PER_SECOND } from './eventRate.ts'

test('the rate is heavy after a while of fast events, and no longer after a while without', () => {
  const rate = new EventRate(0, 0)
  expect(rate.isHeavy(HEAVY_EVENTS_PER_SECOND, 1_000)).toBe(true)
  expect(rate.isHeavy(HEAVY_EVENTS_PER_SECOND, 1_001)).toBe(true)
  expect(rate.isHeavy(2 * HEAVY_EVENTS_PER_SECOND - 1, 2_000)).toBe(false)
  expect(rate.isHeavy(3 * HEAVY_EVENTS_PER_SECOND, 3_000)).toBe(true)
})

test('a burst of a few milliseconds is not heavy', () => {
  const rate = new EventRate(0, 0)
  expect(rate.isHeavy(50, 2)).toBe(false)
  expect(rate.isHeavy(50, EVENT_RATE_MS)).toBe(false)
})
