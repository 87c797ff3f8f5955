import { expect, test } from 'vitest'
import { daysLeft, spendOf } from './spend.ts'

const DAYS = ['2026-11-14T00:00:00.000Z', '2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z']
const node = (day: number, alias: string, micros: number, failures = 0) => ({
  group: DAYS[day] ?? '',
  subgroup: alias,
  requests: 2,
  failures,
  amountMicros: String(micros),
})

test('usage is summed by alias, most expensive first, with an entry for every day', () => {
  const spend = spendOf([node(0, 'a', 5), node(2, 'a', 6), node(2, 'b', 20, 1)], DAYS)
  expect(spend).toMatchObject({ totalMicros: 31n, requests: 6, failures: 1 })
  expect(spend.series).toEqual([
    { name: 'b', micros: [0n, 0n, 20n] },
    { name: 'a', micros: [5n, 0n, 6n] },
  ])
})

test('aliases beyond the number of colours are combined into one series', () => {
  const spend = spendOf(
    Array.from({ length: 9 }, (_, n) => node(1, `alias-${n}`, 10 + n)),
    DAYS,
  )
  expect(spend.series.map(({ name }) => name)).toEqual([
    'alias-8',
    'alias-7',
    'alias-6',
    'alias-5',
    'alias-4',
    '4 others',
  ])
  expect(spend.series.at(-1)?.micros).toEqual([0n, 46n, 0n])
})

test('an alias that cost nothing has no series', () => {
  expect(spendOf([node(0, 'free', 0)], DAYS).series).toEqual([])
})

test('the days left follow from the average of the last seven days', () => {
  const days = Array.from({ length: 30 }, (_, n) => `day-${n}`)
  const spent = (micros: bigint) => [{ name: 'a', micros: days.map((_, n) => (n < 23 ? 1_000_000n : micros)) }]
  expect(daysLeft(100n, { days, series: spent(10n) })).toBe(10)
  expect(daysLeft(105n, { days, series: spent(10n) })).toBe(10)
  expect(daysLeft(100n, { days, series: spent(0n) })).toBeNull()
  expect(daysLeft(-5n, { days, series: spent(10n) })).toBeNull()
})
