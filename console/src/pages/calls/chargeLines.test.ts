import { expect, test } from 'vitest'
import { bookIn, kindWords, linesOf, rateWords, sumOf } from './chargeLines.ts'

const line = (kind: string, count: number, rateMicros: bigint, amountMicros: bigint) => {
  return { kind, count, rateMicros, amountMicros }
}

test('a charge has the lines that the API gives it, whatever its event says', () => {
  const recorded = [{ kind: 'reasoning', count: 3, rateMicros: '8000000', amountMicros: '24' }]
  expect(linesOf(recorded, FORMER)).toEqual([line('reasoning', 3, 8_000_000n, 24n)])
})

test('lines are named by their kind, with a rate per million tokens or for one unit', () => {
  const words = (kind: string, rateMicros: bigint) => `${kindWords(kind)}: ${rateWords(line(kind, 1, rateMicros, 1n))}`
  expect(words('cacheWrite1h', 4_000_000n)).toBe('Cache writes, 1 h: 4.00 per million')
  expect(words('image', 10_000_000_000n)).toBe('Images: 0.01 each')
  expect(words('tool:web_search', 1n)).toBe('Calls of web_search: 0.000000000001 each')
  expect(words('call', 10_000_000_000n)).toBe('Call fee: 0.01 each')
  expect(words('beyondBound', 0n)).toBe('Above the bound, not charged: ')
})

const FORMER_PRICE = { bookId: 'book', inputMicrosPerMillionTokens: '2000000', outputMicrosPerMillionTokens: '8000000' }
const former = (data: object) => {
  return { type: 'CallCharged', data: { tokensIn: 10, tokensOut: 5, price: FORMER_PRICE, ...data } }
}
const FORMER = former({})

test('the lines of a charge from before lines were recorded are computed from its event', () => {
  expect(linesOf(null, FORMER)).toEqual([line('input', 10, 2_000_000n, 20n), line('output', 5, 8_000_000n, 40n)])
  expect(bookIn(FORMER)).toBe('book')
})

test('their cached input, cache writes and fee are lines, and the sum is rounded up once', () => {
  const price = { ...FORMER_PRICE, cachedInputMicrosPerMillionTokens: '1', perCallMicros: '7' }
  const lines = linesOf(null, former({ tokensCached: 3, tokensCacheWrite: 2, price })) ?? []
  expect(lines.map(({ kind, count, amountMicros }) => [kind, count, amountMicros])).toEqual([
    ['input', 5, 10n],
    // Less than a millionth, rounded up.
    ['cachedInput', 3, 1n],
    ['cacheWrite', 2, 4n],
    ['output', 5, 40n],
    ['call', 1, 7n],
  ])
  expect(sumOf(lines)).toBe(62n)
})

test('an event that is not a charge, or has no rates, has neither lines nor a price book', () => {
  expect(linesOf(null, undefined)).toBeNull()
  expect(linesOf(null, { ...FORMER, type: 'CallFailed' })).toBeNull()
  expect(bookIn({ ...FORMER, type: 'CallFailed' })).toBeNull()
  expect(linesOf(null, former({ price: null }))).toBeNull()
  expect(bookIn(former({ price: null }))).toBeNull()
  expect(linesOf(null, former({ price: { ...FORMER_PRICE, inputMicrosPerMillionTokens: '-1' } }))).toBeNull()
})
