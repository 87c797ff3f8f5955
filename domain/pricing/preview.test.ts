import { describe, expect, test } from 'vitest'
import { type ChargedCall, type PriceChanges, repricedMicros } from './preview.ts'
import { priceListOf } from './priceBook.ts'

const at = '2026-03-01T10:00:00.000Z'
const rate = (micros: number) => ({
  ...{ inputMicrosPerMillionTokens: String(micros * 1_000_000), outputMicrosPerMillionTokens: '0' },
})
const call = (companyId: string, alias = 'a'): ChargedCall => ({
  ...{ companyId, alias, admittedAt: at, price: { bookId: 'recorded', ...rate(1) } },
  ...{ tokensIn: 10, tokensOut: 0, tokensCached: null, tokensCacheWrite: null },
})
const listWith = (prices: Record<string, ReturnType<typeof rate>>) =>
  priceListOf([{ bookId: 'book', effectiveFrom: at, revision: 0, prices, retired: [], replacesAll: false }])
const lists = {
  common: listWith({ a: rate(1), b: rate(2) }),
  ofCompany: (companyId: string) => (companyId === 'special' ? listWith({ a: rate(3) }) : undefined),
}
const changes = (change: Partial<PriceChanges>): PriceChanges => ({
  companyId: null,
  prices: {},
  retired: [],
  ...change,
})
const costOf = (change: Partial<PriceChanges>, some: ChargedCall) => repricedMicros(changes(change), some, lists)

describe('what a call would have cost', () => {
  test('with prices for all companies: the new price, except for companies with their own price', () => {
    const change = { prices: { a: rate(5) } }
    expect(costOf(change, call('any'))).toBe(50n)
    expect(costOf(change, call('special'))).toBe(10n)
    expect(costOf(change, call('any', 'b'))).toBe(10n)
  })

  test('with prices for one company: the new price for that company only', () => {
    const change = { companyId: 'special', prices: { a: rate(5) } }
    expect(costOf(change, call('special'))).toBe(50n)
    expect(costOf(change, call('any'))).toBe(10n)
  })

  test('with an alias retired: nothing, as the call would have been refused', () => {
    expect(costOf({ retired: ['a'] }, call('any'))).toBeNull()
    expect(costOf({ retired: ['a'] }, call('special'))).toBe(10n)
  })

  test("with a company's own price retired: the common price of that moment", () => {
    expect(costOf({ companyId: 'special', retired: ['b'] }, call('special', 'b'))).toBe(20n)
    expect(costOf({ companyId: 'special', retired: ['c'] }, call('special', 'c'))).toBeNull()
  })
})
