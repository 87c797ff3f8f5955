import { describe, expect, test } from 'vitest'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { ProviderCost } from '../../../domain/pricing/providerCost.ts'
import { CallUsage } from './callUsage.ts'

const COST: ProviderCost = {
  currency: 'usd',
  inputMicrosPerMillionTokens: 1_000_000n,
  cachedInputMicrosPerMillionTokens: 0n,
  cacheWriteMicrosPerMillionTokens: null,
  outputMicrosPerMillionTokens: 2_000_000n,
  perCallMicros: 0n,
}
const USAGE = { tokensIn: 100, tokensOut: 10, tokensCached: 40, tokensCacheWrite: 20 }
const NO_COST = { costMicros: null, costCurrency: null }

const provider = (name: string, cost?: ProviderCost) => ({ name, cost }) as Provider

/** The usage of a call that asked these providers one after the other, each of which answered. */
function usageOf(...providers: readonly Provider[]): CallUsage {
  const usage = new CallUsage()
  for (const each of providers) {
    usage.sentTo(each)
    usage.add(USAGE)
  }
  return usage
}

describe('the usage of a call', () => {
  test('a call that reached no provider has no provider and no cost', () => {
    expect(new CallUsage().facts()).toEqual({
      ...{ provider: null, ...NO_COST, tokensCached: null, tokensCacheWrite: null },
    })
  })

  test('a call that was not answered names the provider that was asked last', () => {
    const usage = new CallUsage()
    usage.sentTo(provider('one', COST))
    usage.sentTo(provider('two', COST))
    expect(usage.facts()).toMatchObject({ provider: 'two', ...NO_COST })
  })

  test('the cost of two answers is added up', () => {
    const usage = usageOf(provider('one', COST), provider('one', COST))
    expect(usage.tokens).toEqual({ tokensIn: 200, tokensOut: 20, tokensCached: 80, tokensCacheWrite: 40 })
    expect(usage.facts()).toMatchObject({ costMicros: '160', costCurrency: 'usd', tokensCached: 80 })
  })

  test.each([
    ['the first has no cost', [provider('one'), provider('two', COST)]],
    ['the second has no cost', [provider('one', COST), provider('two')]],
    ['their currencies differ', [provider('one', { ...COST, currency: 'eur' }), provider('two', COST)]],
  ])('the cost of two answers is unknown if %s', (_, providers) => {
    expect(usageOf(...providers).facts()).toMatchObject({ provider: 'two', ...NO_COST })
  })

  test('cached tokens are those charged, and the cost covers all tokens', () => {
    const facts = usageOf(provider('one', COST)).facts({
      tokensIn: 50,
      tokensOut: 0,
      tokensCached: 30,
      tokensCacheWrite: 0,
    })
    expect(facts).toMatchObject({ tokensCached: 30, tokensCacheWrite: 0, costMicros: '80' })
  })
})
