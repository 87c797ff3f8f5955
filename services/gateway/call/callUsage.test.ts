import { describe, expect, test } from 'vitest'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import type { ProviderCost } from '../../../domain/pricing/providerCost.ts'
import type { Usage } from '../../../domain/pricing/usage.ts'
import { CallUsage } from './callUsage.ts'

const COST: ProviderCost = {
  currency: 'usd',
  price: { rates: { input: '1000000', cachedInput: '0', output: '2000000' }, unitRates: { search: '5000000' } },
}
const USAGE: Usage = {
  ...{ tokensIn: 100, tokensOut: 10, parts: { cachedInput: 40, cacheWrite: 20 } },
  ...{ units: {}, serviceTier: null },
}
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
      ...{ provider: null, ...NO_COST },
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
    expect(usage.used).toMatchObject({ tokensIn: 200, tokensOut: 20, parts: { cachedInput: 80, cacheWrite: 40 } })
    expect(usage.facts()).toMatchObject({ costMicros: '160', costCurrency: 'usd' })
  })

  test.each([
    ['the first has no cost', [provider('one'), provider('two', COST)]],
    ['the second has no cost', [provider('one', COST), provider('two')]],
    ['their currencies differ', [provider('one', { ...COST, currency: 'eur' }), provider('two', COST)]],
  ])('the cost of two answers is unknown if %s', (_, providers) => {
    expect(usageOf(...providers).facts()).toMatchObject({ provider: 'two', ...NO_COST })
  })

  test.each([
    ['known if the provider names its fee', 'search', { costMicros: '85', costCurrency: 'usd' }],
    ['unknown if it does not', 'tool:web_search', NO_COST],
  ])('the cost of an answer with a unit is %s', (_, unit, expected) => {
    const usage = new CallUsage()
    usage.sentTo(provider('one', COST))
    usage.add({ ...USAGE, tokensOut: 5, units: { [unit]: 3 } })
    expect(usage.facts()).toMatchObject(expected)
  })

  test('the shape of the provider decides what its report means', () => {
    const usage = new CallUsage()
    const reported = { ...USAGE, parts: { reasoning: 7 }, total: 117 }
    usage.sentTo(provider('one'))
    expect(usage.meant(reported).tokensOut).toBe(10)
    usage.sentTo({ name: 'two', usage: 'xai' } as Provider)
    expect(usage.meant(reported).tokensOut).toBe(17)
  })
})
