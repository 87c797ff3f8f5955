import { describe, expect, test } from 'vitest'
import { nextPriceFrom, type PriceBook, priceAt, priceListOf, pricesAt } from './priceBook.ts'

const alias = 'svc/chat-default'
const moment = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`
const priceOf = (rate: number) => ({ rates: { input: String(rate), output: String(2 * rate) } })
const book = (bookId: string, day: number, changes: Partial<PriceBook> = {}): PriceBook => ({
  ...{ bookId, effectiveFrom: moment(day), revision: 0, prices: { [alias]: priceOf(1) } },
  ...{ retired: [], replacesAll: false },
  ...changes,
})
const bookAt = (books: readonly PriceBook[], at: string, name = alias) =>
  priceAt(priceListOf(books), name, at)?.bookId ?? null

describe('the price of an alias', () => {
  test('begins exactly at the millisecond of its book', () => {
    const books = [book('old', 1), book('new', 2)]
    expect(bookAt(books, '2026-02-28T23:59:59.999Z')).toBeNull()
    expect(bookAt(books, '2026-03-01T23:59:59.999Z')).toBe('old')
    expect(bookAt(books, moment(2))).toBe('new')
  })

  test('is set by the later of two books for the same moment', () => {
    expect(bookAt([book('second', 1, { revision: 1 }), book('first', 1)], moment(1))).toBe('second')
  })

  test('stays when a later book names other aliases only', () => {
    const books = [book('old', 1), book('new', 2, { prices: { 'svc/chat-cheap': priceOf(1) } })]
    expect(bookAt(books, moment(3))).toBe('old')
    expect(bookAt(books, moment(3), 'svc/chat-cheap')).toBe('new')
  })

  test('ends when a later book retires it, and begins again with the next that names it', () => {
    const books = [book('old', 1), book('end', 2, { prices: {}, retired: [alias] }), book('again', 4)]
    expect([1, 2, 3, 4].map((day) => bookAt(books, moment(day)))).toEqual(['old', null, null, 'again'])
  })

  test('ends with a book of version 1 that omits it', () => {
    const books = [book('old', 1), book('new', 2, { prices: { 'svc/chat-cheap': priceOf(1) }, replacesAll: true })]
    expect(bookAt(books, moment(2))).toBeNull()
    expect(bookAt(books, moment(2), 'svc/chat-cheap')).toBe('new')
  })

  test('is returned with the id of its book, as a charge records it', () => {
    expect(priceAt(priceListOf([book('a book', 1)]), alias, moment(1))).toEqual({ bookId: 'a book', ...priceOf(1) })
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('is null for %s', (name) => {
    expect(bookAt([book('a book', 1)], moment(1), name)).toBeNull()
  })
})

describe('the next price of an alias', () => {
  const books = [book('old', 2), book('end', 4, { prices: {}, retired: [alias] }), book('again', 6)]
  const list = priceListOf(books)

  test('begins with the first book after the time that names it, and not with one that retires it', () => {
    expect([1, 2, 3, 4, 5].map((day) => nextPriceFrom(list, alias, moment(day)))).toEqual([2, 6, 6, 6, 6].map(moment))
  })

  test('is null after the last book, and for an alias that none names', () => {
    expect(nextPriceFrom(list, alias, moment(6))).toBeNull()
    expect(nextPriceFrom(list, 'svc/other', moment(1))).toBeNull()
  })
})

test('a list of a company overrides the common one alias by alias, and a retired price falls back to it', () => {
  const common = priceListOf([book('common', 1, { prices: { a: priceOf(1), b: priceOf(1) } })])
  const own = priceListOf([
    book('own', 2, { prices: { b: priceOf(2), c: priceOf(2) } }),
    book('ended', 4, { prices: {}, retired: ['b'] }),
  ])
  const at = (day: number) =>
    Object.fromEntries([...pricesAt([own, common], moment(day))].map(([name, { bookId }]) => [name, bookId]))
  expect(at(0)).toEqual({})
  expect(at(1)).toEqual({ a: 'common', b: 'common' })
  expect(at(2)).toEqual({ a: 'common', b: 'own', c: 'own' })
  expect(at(4)).toEqual({ a: 'common', b: 'common', c: 'own' })
})
