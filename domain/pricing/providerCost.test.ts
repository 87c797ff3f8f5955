import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { providerCostMicros } from './providerCost.ts'
import { NO_USAGE, type Usage } from './usage.ts'

const price: AliasPrice = {
  rates: { input: '2500000', cachedInput: '250000', cacheWrite: '3000000', output: '10000000' },
  callMicros: '7',
}
const used: Usage = { ...NO_USAGE, tokensIn: 1_000, tokensOut: 100 }
const costOf = (some: AliasPrice, usage: Usage) => providerCostMicros({ currency: 'usd', price: some }, usage)
const withRates = (rates: Partial<AliasPrice['rates']>): AliasPrice => ({ rates: { ...price.rates, ...rates } })

describe('the cost of a call at its provider', () => {
  test('is its tokens at the rates, and the fee for each call', () => {
    expect(costOf(price, used)).toBe(2_500n + 1_000n + 7n)
  })

  test('counts cached input and cache writes at their own rates, as parts of the input', () => {
    expect(costOf(price, { ...used, parts: { cachedInput: 400, cacheWrite: 200 } })).toBe(
      1_000n + 100n + 600n + 1_000n + 7n,
    )
  })

  test('counts cached input and cache writes as other input if they have no rate', () => {
    const simple = { rates: { input: '2500000', output: '10000000' } }
    expect(costOf(simple, { ...used, parts: { cachedInput: 400, cacheWrite: 200 } })).toBe(costOf(simple, used))
  })

  test('counts cached input as free if its rate is zero', () => {
    const cached = { ...used, tokensOut: 0, parts: { cachedInput: 1_000 } }
    expect(costOf(withRates({ cachedInput: '0' }), cached)).toBe(0n)
  })

  test('counts units at their own rates, and is unknown if one of them has none', () => {
    const searched = { ...used, units: { search: 2 } }
    expect(costOf({ ...price, unitRates: { search: '10000000000' } }, searched)).toBe(3_507n + 20_000n)
    expect(costOf(price, searched)).toBeNull()
  })

  test('multiplies tokens by the factor of the tier that the provider reports', () => {
    const tiers = { ...price, tierFactors: { priority: '2000000' } }
    expect(costOf(tiers, { ...used, serviceTier: 'priority' })).toBe(7_000n + 7n)
    expect(costOf(tiers, { ...used, serviceTier: 'flex' })).toBe(3_507n)
  })

  test('is rounded up once, not for each rate', () => {
    const cheap = withRates({ input: '1', output: '1' })
    expect(costOf(cheap, { ...used, tokensIn: 1, tokensOut: 1 })).toBe(1n)
    expect(costOf(cheap, { ...used, tokensIn: 1_000_000, tokensOut: 1 })).toBe(2n)
    expect(costOf(cheap, { ...used, tokensIn: 0, tokensOut: 0 })).toBe(0n)
  })

  test('loses nothing above 2^53', () => {
    const dear = withRates({ input: '9007199254740993' })
    expect(costOf(dear, { ...used, tokensIn: 1_000_000, tokensOut: 0 })).toBe(9_007_199_254_740_993n)
  })
})
