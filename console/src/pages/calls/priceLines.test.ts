import { expect, test } from 'vitest'
import { pricedBy } from './priceLines.ts'

const PRICE = { bookId: 'book', inputMicrosPerMillionTokens: '2000000', outputMicrosPerMillionTokens: '8000000' }
const charged = (data: object) => ({ type: 'CallCharged', data: { tokensIn: 10, tokensOut: 5, price: PRICE, ...data } })

test('tokens times rates make the charge', () => {
  expect(pricedBy(charged({}))).toEqual({
    bookId: 'book',
    lines: [
      { name: 'Input', tokens: 10, rateMicros: 2_000_000n },
      { name: 'Output', tokens: 5, rateMicros: 8_000_000n },
    ],
    perCallMicros: 0n,
    sumMicros: 60n,
  })
})

test('cached input and cache writes have rates of their own, the fee is added, and the sum is rounded up once', () => {
  const price = { ...PRICE, cachedInputMicrosPerMillionTokens: '1', perCallMicros: '7' }
  const priced = pricedBy(charged({ tokensCached: 3, tokensCacheWrite: 2, price }))
  expect(priced?.lines.map(({ name, tokens, rateMicros }) => [name, tokens, rateMicros])).toEqual([
    ['Input', 5, 2_000_000n],
    ['Cached input', 3, 1n],
    ['Cache writes', 2, 2_000_000n],
    ['Output', 5, 8_000_000n],
  ])
  // 14 for input and cache writes, 40 for output, and less than one for the cached input.
  expect(priced?.sumMicros).toBe(62n)
})

test('an event that is not a charge or has no rates has no lines', () => {
  expect(pricedBy({ ...charged({}), type: 'CallFailed' })).toBeNull()
  expect(pricedBy(charged({ price: null }))).toBeNull()
  expect(pricedBy(charged({ price: { ...PRICE, inputMicrosPerMillionTokens: '-1' } }))).toBeNull()
})
