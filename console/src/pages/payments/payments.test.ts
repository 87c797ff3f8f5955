import { expect, test } from 'vitest'
import { isPastMonth, monthBefore, paymentsSearch } from './paymentsSearch.ts'
import { resultWords } from './reconciliationWords.ts'

test('the address keeps a month and nothing else', () => {
  expect(paymentsSearch({ month: '2026-03' })).toEqual({ month: '2026-03' })
  for (const month of ['2026-13', '2026-3', '1999-01', 202603, undefined]) expect(paymentsSearch({ month })).toEqual({})
})

test('a month can be compared from its first day on', () => {
  expect(['2026-02', '2026-03', '2026-04', ''].map((month) => isPastMonth(month, '2026-03'))).toEqual([
    ...[true, true, false, false],
  ])
})

test('the month before January is December of the year before', () => {
  expect([monthBefore('2026-03'), monthBefore('2026-01')]).toEqual(['2026-02', '2025-12'])
})

test('a month that goes on may still get differences, and says so', () => {
  expect(resultWords({ differenceCount: 0, hasEnded: true })).toBe('Payments and ledgers agree.')
  expect(resultWords({ differenceCount: 1, hasEnded: true })).toBe('1 difference without an explanation.')
  expect(resultWords({ differenceCount: 2, hasEnded: false })).toMatch(/^2 differences .* The month goes on/)
})
