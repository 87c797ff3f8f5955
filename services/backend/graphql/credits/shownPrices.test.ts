import { describe, expect, test } from 'vitest'
import type { AliasPrice } from '../../../../contracts/events/pricing.ts'
import type { AliasPriceInput } from '../generated.ts'
import { pricesOf, shownPrice } from './shownPrices.ts'

const ALIAS = 'svc/chat'
const INPUT: AliasPriceInput = { alias: ALIAS, inputPerMillionTokens: 1, outputPerMillionTokens: 2 }
const FULL: AliasPrice = {
  rates: {
    ...{ input: '2000000', cachedInput: '200000', cacheWrite: '2500000', cacheWrite1h: '4000000' },
    ...{ audioInput: '30000000', imageInput: '1', output: '8000000', reasoning: '0', audioOutput: '60000001' },
    imageOutput: '40000000',
  },
  inputTiers: [
    { tokens: 128_000, inclusive: false, rates: { input: '4000000', output: '12000000' } },
    { tokens: 272_000, inclusive: true, rates: { input: '5000000', reasoning: '7', output: '12000000' } },
  ],
  unitRates: { image: '10000000000', character: '15000000', 'tool:web_search': '1' },
  tierFactors: { flex: '500000', priority: '2000000' },
  callMicros: '10000',
}
const priceOf = (input: Partial<AliasPriceInput>) => pricesOf([{ ...INPUT, ...input }])[ALIAS]
/** What a client that sends back what it read sends. */
const sentBack = (price: AliasPrice): AliasPriceInput => {
  const { bookId: _, ...shown } = shownPrice([ALIAS, price], 'book')
  return shown
}

test('a price with every dimension is shown in credits', () => {
  expect(shownPrice([ALIAS, FULL], 'book')).toEqual({
    ...{ alias: ALIAS, bookId: 'book', perCall: 0.01 },
    ...{ inputPerMillionTokens: 2, cachedInputPerMillionTokens: 0.2, cacheWritePerMillionTokens: 2.5 },
    ...{ cacheWrite1hPerMillionTokens: 4, audioInputPerMillionTokens: 30, imageInputPerMillionTokens: 0.000001 },
    ...{ outputPerMillionTokens: 8, reasoningPerMillionTokens: 0, audioOutputPerMillionTokens: 60.000001 },
    imageOutputPerMillionTokens: 40,
    inputTiers: [
      expect.objectContaining({ tokens: 128_000, inclusive: false, inputPerMillionTokens: 4 }),
      expect.objectContaining({ tokens: 272_000, inclusive: true, reasoningPerMillionTokens: 0.000007 }),
    ],
    units: [
      { unit: 'image', credits: 0.01 },
      { unit: 'character', credits: 0.000015 },
      { unit: 'tool:web_search', credits: 0.000000000001 },
    ],
    serviceTiers: [
      { tier: 'flex', factor: 0.5 },
      { tier: 'priority', factor: 2 },
    ],
  })
})

test('a price that is sent back as it was shown stays the same, with every dimension', () => {
  expect(pricesOf([sentBack(FULL)])).toEqual({ [ALIAS]: FULL })
})

test('a simple price has only its two rates', () => {
  const simple: AliasPrice = { rates: { input: '1000000', output: '2000000' } }
  expect(pricesOf([INPUT])).toEqual({ [ALIAS]: simple })
  expect(shownPrice([ALIAS, simple], 'book')).toMatchObject({
    ...{ cacheWrite1hPerMillionTokens: null, reasoningPerMillionTokens: null, perCall: null },
    ...{ inputTiers: [], units: [], serviceTiers: [] },
  })
  expect(pricesOf([sentBack(simple)])).toEqual({ [ALIAS]: simple })
})

describe('credits for a unit', () => {
  test.each([
    [0, '0'],
    [0.01, '10000000000'],
    [0.000000000001, '1'],
    [0.1 + 0.1, '200000000000'],
    [1_000_000, '1000000000000000000'],
    [123.000000000001, '123000000000001'],
    [-1, '-1000000000000'],
  ])('of %s are micros for a million, exactly', (credits, rate) => {
    expect(priceOf({ units: [{ unit: 'image', credits }] })?.unitRates).toEqual({ image: rate })
  })

  test.each([
    [1e-13, 'the price of image must have at most 12 decimals, not 1e-13'],
    [0.1 + 0.2, 'the price of image must have at most 12 decimals, not 0.30000000000000004'],
    [1234.000000000001, 'the price of image must have at most 15 digits, not 1234.000000000001'],
  ])('of %s may have been rounded, and are refused', (credits, message) => {
    expect(() => priceOf({ units: [{ unit: 'image', credits }] })).toThrow(message)
  })
})

test('a factor has at most six decimals', () => {
  expect(priceOf({ serviceTiers: [{ tier: 'flex', factor: 0.000001 }] })?.tierFactors).toEqual({ flex: '1' })
  const message = 'the factor of flex must have at most 6 decimals, not 1e-7'
  expect(() => priceOf({ serviceTiers: [{ tier: 'flex', factor: 0.0000001 }] })).toThrow(message)
})

test('an alias, a unit or a service tier that is named twice is refused', () => {
  expect(() => pricesOf([INPUT, INPUT])).toThrow('prices names svc/chat twice')
  const image = { unit: 'image', credits: 1 }
  expect(() => priceOf({ units: [image, image] })).toThrow('units of svc/chat names image twice')
  const flex = { tier: 'flex', factor: 1 }
  expect(() => priceOf({ serviceTiers: [flex, flex] })).toThrow('serviceTiers of svc/chat names flex twice')
})
