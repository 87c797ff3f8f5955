import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { TOKENS_PER_CALL_MAX } from '../ledger/decider.ts'
import { costMicros, type PriceBook, priceAt, publish } from './priceBook.ts'

const MILLION = 1_000_000n

const tokens = fc.nat({ max: TOKENS_PER_CALL_MAX })
const rate = fc.bigInt({ min: 0n, max: AMOUNT_MICROS_MAX })
const priceOf = (input: bigint, output: bigint) => ({
  inputMicrosPerMillionTokens: input.toString(),
  outputMicrosPerMillionTokens: output.toString(),
})

describe('what a call costs', () => {
  test('is rounded up: never below what its tokens cost, and by less than one micro', () => {
    fc.assert(
      fc.property(rate, rate, tokens, tokens, (input, output, tokensIn, tokensOut) => {
        const exact = input * BigInt(tokensIn) + output * BigInt(tokensOut)
        const cost = costMicros(priceOf(input, output), { tokensIn, tokensOut })
        expect(cost * MILLION).toBeGreaterThanOrEqual(exact)
        expect(cost * MILLION - exact).toBeLessThan(MILLION)
      }),
    )
  })

  test('never falls when a call uses more tokens', () => {
    fc.assert(
      fc.property(rate, rate, tokens, tokens, tokens, tokens, (input, output, tokensIn, tokensOut, moreIn, moreOut) => {
        const price = priceOf(input, output)
        const more = { tokensIn: tokensIn + moreIn, tokensOut: tokensOut + moreOut }
        expect(costMicros(price, more)).toBeGreaterThanOrEqual(costMicros(price, { tokensIn, tokensOut }))
      }),
    )
  })

  test('loses nothing above what a double can hold', () => {
    const price = priceOf(9_007_199_254_740_993n, 1n)
    expect(costMicros(price, { tokensIn: 1_000_000, tokensOut: 0 })).toBe(9_007_199_254_740_993n)
    expect(costMicros(price, { tokensIn: 1_000_000, tokensOut: 1 })).toBe(9_007_199_254_740_994n)
  })

  test('is zero without tokens, and at least one micro for a token that costs anything', () => {
    expect(costMicros(priceOf(5n, 5n), { tokensIn: 0, tokensOut: 0 })).toBe(0n)
    expect(costMicros(priceOf(1n, 0n), { tokensIn: 1, tokensOut: 0 })).toBe(1n)
    expect(costMicros(priceOf(0n, 0n), { tokensIn: 1_000, tokensOut: 1_000 })).toBe(0n)
  })

  test('is rounded once for the whole call, not for input and output apart', () => {
    expect(costMicros(priceOf(500_000n, 500_000n), { tokensIn: 1, tokensOut: 1 })).toBe(1n)
  })
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
