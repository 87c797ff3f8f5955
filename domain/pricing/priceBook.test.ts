import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PriceBook, priceAt, publish } from './priceBook.ts'

const priceOf = (input: bigint, output: bigint) => ({
  inputMicrosPerMillionTokens: input.toString(),
  outputMicrosPerMillionTokens: output.toString(),
})

describe('the price book in force', () => {
  const alias = 'svc/chat-default'
  const moment = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`
  const book = (
    bookId: string,
    day: number,
    prices: PriceBook['prices'] = { [alias]: priceOf(1n, 2n) },
  ): PriceBook => ({
    bookId,
    effectiveFrom: moment(day),
    prices,
  })
  const bookAt = (books: readonly PriceBook[], at: string) => priceAt(books, alias, at)?.bookId ?? null

  test('is the newest that has taken effect; of two for the same moment, the one published later', () => {
    const days = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 })
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 6 }), (daysInOrderOfPublication, askedDay) => {
        const books = daysInOrderOfPublication.map((day, n) => book(`book ${n}`, day))
        let expected: PriceBook | null = null
        for (const candidate of books) {
          const hasBegun = candidate.effectiveFrom <= moment(askedDay)
          if (hasBegun && candidate.effectiveFrom >= (expected?.effectiveFrom ?? '')) expected = candidate
        }
        expect(bookAt(books.reduce(publish, []), moment(askedDay))).toBe(expected?.bookId ?? null)
      }),
    )
  })

  test('begins exactly at its millisecond', () => {
    const books = [book('old', 1), book('new', 2)].reduce(publish, [])
    expect(bookAt(books, '2026-03-01T23:59:59.999Z')).toBe('old')
    expect(bookAt(books, moment(2))).toBe('new')
  })

  test('is null before the first book', () => {
    expect(bookAt([book('first', 2)], '2026-03-01T23:59:59.999Z')).toBeNull()
    expect(bookAt([], moment(1))).toBeNull()
  })

  test('takes an alias off sale by leaving it out, although an older book has it', () => {
    const books = [book('old', 1), book('new', 2, { 'svc/chat-cheap': priceOf(1n, 1n) })].reduce(publish, [])
    expect(bookAt(books, moment(3))).toBeNull()
  })

  test('returns the price together with the book id, as a charge records it', () => {
    expect(priceAt([book('a book', 1)], alias, moment(1))).toEqual({ bookId: 'a book', ...priceOf(1n, 2n) })
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('sells nothing called %s', (name) => {
    expect(priceAt([book('a book', 1)], name, moment(1))).toBeNull()
  })

  test('is published without modifying the existing list', () => {
    const books = Object.freeze([book('old', 2)])
    expect(publish(books, book('new', 1)).map(({ bookId }) => bookId)).toEqual(['new', 'old'])
    expect(books).toHaveLength(1)
  })
})
