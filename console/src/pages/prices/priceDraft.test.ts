import { expect, test } from 'vitest'
import { bookOf, cellsOf, type Draft, edited, faultyCells, type Price } from './priceDraft.ts'

const PRICE: Price = {
  alias: 'svc/chat',
  inputPerMillionTokens: 2,
  cachedInputPerMillionTokens: null,
  cacheWritePerMillionTokens: null,
  outputPerMillionTokens: 6.5,
  perCall: null,
  bookId: 'b',
}
const NOTHING: Draft = new Map()
const cells = cellsOf(PRICE)

test('the book contains only edited aliases and omits empty prices', () => {
  const draft = edited(NOTHING, 'svc/chat', { cells: { ...cells, perCall: '0.01' }, isRetired: false }, PRICE)
  expect(bookOf(draft, null)).toEqual({
    prices: [{ alias: 'svc/chat', inputPerMillionTokens: 2, outputPerMillionTokens: 6.5, perCall: 0.01 }],
    retire: [],
  })
})

test('undoing an edit leaves no difference', () => {
  const changed = edited(NOTHING, 'svc/chat', { cells: { ...cells, perCall: '1' }, isRetired: false }, PRICE)
  expect(edited(changed, 'svc/chat', { cells, isRetired: false }, PRICE).size).toBe(0)
})

test("a retired alias is in the company's book without prices", () => {
  const draft = edited(NOTHING, 'svc/chat', { cells, isRetired: true }, PRICE)
  expect(bookOf(draft, 'c')).toEqual({ prices: [], retire: ['svc/chat'], companyId: 'c' })
})

test('input and output prices are required; none may be negative or have more than six decimals', () => {
  const empty = cellsOf(undefined)
  expect(faultyCells({ cells: empty, isRetired: false })).toEqual(['inputPerMillionTokens', 'outputPerMillionTokens'])
  expect(faultyCells({ cells: empty, isRetired: true })).toEqual([])
  expect(faultyCells({ cells: { ...cells, perCall: '-1' }, isRetired: false })).toEqual(['perCall'])
  expect(faultyCells({ cells: { ...cells, perCall: '0.0000001' }, isRetired: false })).toEqual(['perCall'])
  expect(faultyCells({ cells: { ...cells, inputPerMillionTokens: ' 0 ' }, isRetired: false })).toEqual([])
})
