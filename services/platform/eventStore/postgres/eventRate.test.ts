import { expect, test } from 'vitest'
import { LIMITS } from '../../../../contracts/limits.ts'
import { EventRate } from './eventRate.ts'

const { heavyEventsPerSecond } = LIMITS

test('a load is heavy after some time of it, and no longer after some time without', () => {
  const rate = new EventRate(0, 0)
  expect(rate.isHeavy(heavyEventsPerSecond, 1_000)).toBe(true)
  expect(rate.isHeavy(heavyEventsPerSecond, 1_001)).toBe(true)
  expect(rate.isHeavy(2 * heavyEventsPerSecond - 1, 2_000)).toBe(false)
  expect(rate.isHeavy(3 * heavyEventsPerSecond, 3_000)).toBe(true)
})

test('a burst within a moment is no load', () => {
  const rate = new EventRate(0, 0)
  expect(rate.isHeavy(50, 2)).toBe(false)
  expect(rate.isHeavy(50, LIMITS.eventRateMs)).toBe(false)
})
