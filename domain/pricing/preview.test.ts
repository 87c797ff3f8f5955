import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { charged } from '../../test/support/events/ledgerEvents.ts'
import { type PriceChanges, repricedMicros } from './preview.ts'
import { priceListOf } from './priceBook.ts'
import type { RecordedCharge } from './recordedCharge.ts'

const at = '2026-03-01T10:00:00.000Z'
const priceOf = (micros: number, others: Partial<AliasPrice> = {}): AliasPrice => ({
  rates: { input: String(micros * 1_000_000), output: '0' },
  ...others,
})
/** A call that was charged 10 micros, for 10 tokens of input. */
const call = (companyId: string, alias = 'a', changes: Partial<RecordedCharge> = {}): RecordedCharge =>
  charged(companyId, {
    ...{ alias, admittedAt: at, price: { bookId: 'recorded', ...priceOf(1) } },
    ...{ tokensIn: 10, tokensOut: 0, amountMicros: '10', lines: [line('input', 10, '10')] },
    ...changes,
  }).data
const line = (kind: string, count: number, amountMicros: string) => ({ kind, count, rate: '1000000', amountMicros })
const listWith = (prices: Record<string, AliasPrice>) =>
  priceListOf([{ bookId: 'book', effectiveFrom: at, revision: 0, prices, retired: [], replacesAll: false }])
const lists = {
  common: listWith({ a: priceOf(1), b: priceOf(2) }),
  ofCompany: (companyId: string) => (companyId === 'special' ? listWith({ a: priceOf(3) }) : undefined),
}
const changes = (change: Partial<PriceChanges>): PriceChanges => ({
  companyId: null,
  prices: {},
  retired: [],
  ...change,
})
const costOf = (change: Partial<PriceChanges>, some: RecordedCharge) => repricedMicros(changes(change), some, lists)

describe('what a call would have cost', () => {
  test('with prices for all companies: the new price, except for companies with their own price', () => {
    const change = { prices: { a: priceOf(5) } }
    expect(costOf(change, call('any'))).toBe(50n)
    expect(costOf(change, call('special'))).toBe(10n)
    expect(costOf(change, call('any', 'b'))).toBe(10n)
  })

  test('with prices for one company: the new price for that company only', () => {
    const change = { companyId: 'special', prices: { a: priceOf(5) } }
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

  test('with rates for parts of the input: each part that its lines or its cached tokens name at its rate', () => {
    const change = { prices: { a: { rates: { input: '5000000', output: '0', cachedInput: '1000000' } } } }
    const withLines = call('any', 'a', { lines: [line('input', 6, '6'), line('cachedInput', 4, '4')] })
    expect(costOf(change, withLines)).toBe(34n)
    expect(costOf(change, call('any', 'a', { lines: null, tokensCached: 4 }))).toBe(34n)
  })

  test('with no price for a unit that it used: nothing, as the call would have been refused', () => {
    const searched = call('any', 'a', { lines: [line('input', 10, '10'), line('search', 2, '2')] })
    expect(costOf({ prices: { a: priceOf(5) } }, searched)).toBeNull()
    expect(costOf({ prices: { a: priceOf(5, { unitRates: { search: '3000000' } }) } }, searched)).toBe(56n)
  })

  test('with a factor for its service tier: at that factor if it was charged at the factor of its tier', () => {
    const price = { bookId: 'recorded', ...priceOf(1, { tierFactors: { priority: '2000000' } }) }
    const change = { prices: { a: priceOf(5, { tierFactors: { priority: '3000000' } }) } }
    const served = { price, serviceTier: 'priority' }
    expect(costOf(change, call('any', 'a', { ...served, tierFactor: '2000000', amountMicros: '20' }))).toBe(150n)
    expect(costOf(change, call('any', 'a', { ...served, tierFactor: '1000000' }))).toBe(50n)
  })

  test('with a higher price for a call that its bound limited: what it was charged, at a lower one less', () => {
    const limited = call('any', 'a', {
      ...{ amountMicros: '8', lines: [line('input', 10, '10'), { ...line('beyondBound', 0, '-2'), rate: '0' }] },
    })
    expect(costOf({ prices: { a: priceOf(5) } }, limited)).toBe(8n)
    expect(costOf({ prices: { a: { rates: { input: '500000', output: '0' } } } }, limited)).toBe(5n)
  })
})
