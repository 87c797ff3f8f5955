import { describe, expect, test } from 'vitest'
import { providerCostSetting } from './providerCostSetting.ts'

const COST = { currency: 'usd', inputPerMillion: '2.50', outputPerMillion: '10.00' }
const read = (value: unknown) => providerCostSetting.safeParse(value)

describe('the cost of a provider in PROVIDERS_FILE', () => {
  test('is read exactly, in millionths of the currency', () => {
    const all = { ...COST, cachedInputPerMillion: '0.25', cacheWritePerMillion: '3', perCall: '0.000001' }
    expect(read(all).data).toEqual({
      currency: 'usd',
      inputMicrosPerMillionTokens: 2_500_000n,
      cachedInputMicrosPerMillionTokens: 250_000n,
      cacheWriteMicrosPerMillionTokens: 3_000_000n,
      outputMicrosPerMillionTokens: 10_000_000n,
      perCallMicros: 1n,
    })
  })

  test('needs only a currency and the two rates', () => {
    expect(read(COST).data).toMatchObject({
      cachedInputMicrosPerMillionTokens: null,
      cacheWriteMicrosPerMillionTokens: null,
      perCallMicros: 0n,
    })
  })

  test('is accepted in its old form, as dollars', () => {
    expect(read({ inputMicrosPerToken: 0.15, outputMicrosPerToken: 2.5 }).data).toEqual({
      currency: 'usd',
      inputMicrosPerMillionTokens: 150_000n,
      cachedInputMicrosPerMillionTokens: null,
      cacheWriteMicrosPerMillionTokens: null,
      outputMicrosPerMillionTokens: 2_500_000n,
      perCallMicros: 0n,
    })
  })

  test.each([
    ['a rate as a number', { ...COST, inputPerMillion: 2.5 }],
    ['a negative rate', { ...COST, inputPerMillion: '-2.5' }],
    ['a rate with seven places', { ...COST, inputPerMillion: '0.0000001' }],
    ['a rate with an exponent', { ...COST, inputPerMillion: '1e3' }],
    ['no output rate', { ...COST, outputPerMillion: undefined }],
    ['no currency', { ...COST, currency: undefined }],
    ['a currency in capitals', { ...COST, currency: 'USD' }],
    ['an unknown field', { ...COST, perMonth: '1' }],
    ['a mixture of both forms', { ...COST, inputMicrosPerToken: 1, outputMicrosPerToken: 2 }],
    ['a negative rate of the old form', { inputMicrosPerToken: -1, outputMicrosPerToken: 1 }],
    ['an infinite rate of the old form', { inputMicrosPerToken: 1e300, outputMicrosPerToken: 1 }],
    ['a text', 'cheap'],
    ['null', null],
  ])('with %s is refused', (_, cost) => {
    expect(read(cost).success).toBe(false)
  })

  test('that is a number is refused with the right way to write it', () => {
    const issue = read({ ...COST, inputPerMillion: 2.5 }).error?.issues[0]
    expect(issue).toMatchObject({ path: ['inputPerMillion'], message: expect.stringContaining('"2.50"') })
  })
})
