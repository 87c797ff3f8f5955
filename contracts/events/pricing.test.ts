import { expect, test } from 'vitest'
import { pricingEvents } from './pricing.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1, 10) + 1_000 * seconds).toISOString()
const startOf = (effectiveFrom: string, recordedAt: string) => {
  const { asRecorded } = pricingEvents.PriceBookPublished
  return asRecorded?.({ effectiveFrom, publishedAt: at(0) }, recordedAt).effectiveFrom
}

test('a price book takes effect when it was decided to, if it was stored in time', () => {
  expect(startOf(at(5), at(0))).toBe(at(5))
  expect(startOf(at(5), at(0.5))).toBe(at(5))
  expect(startOf(at(60), at(55.5))).toBe(at(60))
})

test('a price book that was stored late takes effect when gateways know it', () => {
  expect(startOf(at(5), at(0.501))).toBe(at(5.001))
  expect(startOf(at(60), at(70))).toBe(at(74.5))
})

test('a price book of aliases without a price may begin before it was stored', () => {
  expect(startOf(at(0), at(10))).toBe(at(0))
  expect(startOf(at(4.999), at(10))).toBe(at(4.999))
})
