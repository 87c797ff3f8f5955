import { describe, expect, test } from 'vitest'
import { providerCostSetting } from './providerCostSetting.ts'

const COST = { currency: 'usd', inputPerMillion: '2.50', outputPerMillion: '10.00' }
const LARGER = { tokens: 200_000, inclusive: false, inputPerMillion: '5', outputPerMillion: '15' }
const read = (value: unknown) => providerCostSetting.safeParse(value)

describe('the cost of a provider in PROVIDERS_FILE', () => {
  test('needs only a currency and the two rates', () => {
    expect(read(COST).data).toEqual({
      currency: 'usd',
      price: { rates: { input: '2500000', output: '10000000' } },
    })
  })

  test('is read exactly, in millionths of the currency, with a rate for each kind of tokens', () => {
    const all = {
      ...{ ...COST, cachedInputPerMillion: '0.25', cacheWritePerMillion: '3', cacheWrite1hPerMillion: '5' },
      ...{ audioInputPerMillion: '40', imageInputPerMillion: '0', reasoningPerMillion: '11.5' },
      ...{ audioOutputPerMillion: '80', imageOutputPerMillion: '999999999.999999', perCall: '0.000001' },
    }
    expect(read(all).data).toEqual({
      currency: 'usd',
      price: {
        rates: {
          ...{ input: '2500000', cachedInput: '250000', cacheWrite: '3000000', cacheWrite1h: '5000000' },
          ...{ audioInput: '40000000', imageInput: '0', output: '10000000', reasoning: '11500000' },
          ...{ audioOutput: '80000000', imageOutput: '999999999999999' },
        },
        callMicros: '1',
      },
    })
  })

  test('has rates for larger input, fees of units and factors of service tiers', () => {
    const inputTiers = [LARGER, { ...LARGER, tokens: 1_000_000, inclusive: true, cachedInputPerMillion: '1' }]
    const units = { image: '0.04', 'tool:web_search': '0.01', character: '0.000000000001' }
    const cost = { ...COST, inputTiers, units, serviceTiers: { priority: '2', flex: '0.5' } }
    expect(read(cost).data?.price).toEqual({
      rates: { input: '2500000', output: '10000000' },
      inputTiers: [
        { tokens: 200_000, inclusive: false, rates: { input: '5000000', output: '15000000' } },
        {
          ...{ tokens: 1_000_000, inclusive: true },
          rates: { input: '5000000', cachedInput: '1000000', output: '15000000' },
        },
      ],
      unitRates: { image: '40000000000', 'tool:web_search': '10000000000', character: '1' },
      tierFactors: { priority: '2000000', flex: '500000' },
    })
  })

  test('has tiers that begin above their threshold, unless they say that it is included', () => {
    const { inclusive: _, ...unsaid } = LARGER
    expect(read({ ...COST, inputTiers: [unsaid] }).data?.price.inputTiers).toMatchObject([{ inclusive: false }])
  })

  test('is accepted in its old form, as dollars', () => {
    expect(read({ inputMicrosPerToken: 0.15, outputMicrosPerToken: 2.5 }).data).toEqual({
      currency: 'usd',
      price: { rates: { input: '150000', output: '2500000' } },
    })
  })

  test.each([
    ['a rate as a number', { ...COST, inputPerMillion: 2.5 }, 'inputPerMillion'],
    ['a negative rate', { ...COST, reasoningPerMillion: '-2.5' }, 'reasoningPerMillion'],
    ['a rate with seven places', { ...COST, inputPerMillion: '0.0000001' }, 'inputPerMillion'],
    ['a rate with an exponent', { ...COST, inputPerMillion: '1e3' }, 'inputPerMillion'],
    ['no output rate', { ...COST, outputPerMillion: undefined }, 'outputPerMillion'],
    ['no currency', { ...COST, currency: undefined }, 'currency'],
    ['a currency in capitals', { ...COST, currency: 'USD' }, 'currency'],
    ['an unknown field', { ...COST, perMonth: '1' }, ''],
    ['a mixture of both forms', { ...COST, inputMicrosPerToken: 1, outputMicrosPerToken: 2 }, ''],
    ['a negative rate of the old form', { inputMicrosPerToken: -1, outputMicrosPerToken: 1 }, 'inputMicrosPerToken'],
    [
      'an infinite rate of the old form',
      { inputMicrosPerToken: 1e300, outputMicrosPerToken: 1 },
      'inputMicrosPerToken',
    ],
    ['a text', 'cheap', ''],
    ['null', null, ''],
    ['one tier instead of a list', { ...COST, inputTiers: LARGER }, 'inputTiers'],
    ['a tier without a threshold', { ...COST, inputTiers: [{ ...LARGER, tokens: undefined }] }, 'inputTiers.0.tokens'],
    ['a threshold of zero', { ...COST, inputTiers: [{ ...LARGER, tokens: 0 }] }, 'inputTiers'],
    [
      'a tier without its output rate',
      { ...COST, inputTiers: [{ ...LARGER, outputPerMillion: undefined }] },
      'inputTiers.0.outputPerMillion',
    ],
    ['an unknown field of a tier', { ...COST, inputTiers: [{ ...LARGER, perCall: '1' }] }, 'inputTiers.0'],
    ['a text for inclusive', { ...COST, inputTiers: [{ ...LARGER, inclusive: 'yes' }] }, 'inputTiers.0.inclusive'],
    ['thresholds that do not rise', { ...COST, inputTiers: [LARGER, LARGER] }, 'inputTiers'],
    ['a fee with 13 places', { ...COST, units: { image: '0.0000000000001' } }, 'units.image'],
    ['a fee as a number', { ...COST, units: { image: 0.04 } }, 'units.image'],
    ['an unknown unit', { ...COST, units: { picture: '0.04' } }, 'units'],
    ['a fee beyond all prices', { ...COST, units: { image: '1000001' } }, 'units'],
    ['a factor as a number', { ...COST, serviceTiers: { priority: 2 } }, 'serviceTiers.priority'],
    ['a factor above 100', { ...COST, serviceTiers: { priority: '100.000001' } }, 'serviceTiers'],
    ['a service tier in capitals', { ...COST, serviceTiers: { Priority: '2' } }, 'serviceTiers'],
  ])('with %s is refused, with the path', (_, cost, path) => {
    expect(read(cost).error?.issues[0]?.path.join('.')).toBe(path)
  })

  test('that is a number is refused with the right way to write it', () => {
    const issue = read({ ...COST, inputPerMillion: 2.5 }).error?.issues[0]
    expect(issue).toMatchObject({ path: ['inputPerMillion'], message: expect.stringContaining('"2.50"') })
  })

  test('with an unknown unit is refused with the name of the unit', () => {
    const issue = read({ ...COST, units: { picture: '0.04' } }).error?.issues[0]
    expect(issue?.message).toBe('"picture" is not among the known units of this cost')
  })
})
