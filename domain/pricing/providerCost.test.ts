import { describe, expect, test } from 'vitest'
import { type ProviderCost, providerCostMicros } from './providerCost.ts'

const cost: ProviderCost = {
  currency: 'usd',
  inputMicrosPerMillionTokens: 2_500_000n,
  cachedInputMicrosPerMillionTokens: 250_000n,
  cacheWriteMicrosPerMillionTokens: 3_000_000n,
  outputMicrosPerMillionTokens: 10_000_000n,
  perCallMicros: 7n,
}
const used = { tokensIn: 1_000, tokensOut: 100, tokensCached: null, tokensCacheWrite: null }

describe('the cost of a call at its provider', () => {
  test('is its tokens at the rates, and the fee for each call', () => {
    expect(providerCostMicros(cost, used)).toBe(2_500n + 1_000n + 7n)
  })

  test('counts cached input and cache writes at their own rates, as parts of the input', () => {
    expect(providerCostMicros(cost, { ...used, tokensCached: 400, tokensCacheWrite: 200 })).toBe(
      1_000n + 100n + 600n + 1_000n + 7n,
    )
  })

  test('counts cached input and cache writes as other input if they have no rate', () => {
    const simple = { ...cost, cachedInputMicrosPerMillionTokens: null, cacheWriteMicrosPerMillionTokens: null }
    const cached = { ...used, tokensCached: 400, tokensCacheWrite: 200 }
    expect(providerCostMicros(simple, cached)).toBe(providerCostMicros(simple, used))
  })

  test('counts cached input as free if its rate is zero', () => {
    const free = { ...cost, cachedInputMicrosPerMillionTokens: 0n, perCallMicros: 0n }
    expect(providerCostMicros(free, { ...used, tokensOut: 0, tokensCached: 1_000 })).toBe(0n)
  })

  test('is rounded up once, not for each rate', () => {
    const cheap = { ...cost, inputMicrosPerMillionTokens: 1n, outputMicrosPerMillionTokens: 1n, perCallMicros: 0n }
    expect(providerCostMicros(cheap, { ...used, tokensIn: 1, tokensOut: 1 })).toBe(1n)
    expect(providerCostMicros(cheap, { ...used, tokensIn: 1_000_000, tokensOut: 1 })).toBe(2n)
    expect(providerCostMicros(cheap, { ...used, tokensIn: 0, tokensOut: 0 })).toBe(0n)
  })

  test('loses nothing above 2^53', () => {
    const dear = { ...cost, inputMicrosPerMillionTokens: 9_007_199_254_740_993n, perCallMicros: 0n }
    expect(providerCostMicros(dear, { ...used, tokensIn: 1_000_000, tokensOut: 0 })).toBe(9_007_199_254_740_993n)
  })
})
