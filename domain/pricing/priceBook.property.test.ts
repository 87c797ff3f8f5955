import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { type PriceBook, priceAt, priceListOf } from './priceBook.ts'

const ALIASES = ['a', 'b', 'c']
const moment = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`
const price = { rates: { input: '1', output: '2' } }
const some = fc.subarray(ALIASES)

/** Books of one stream in the order of publication, each for any moment. */
const books: fc.Arbitrary<PriceBook[]> = fc
  .array(
    fc.record({
      day: fc.integer({ min: 1, max: 5 }),
      named: some,
      retired: some,
      replacesAll: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((drawn) =>
    drawn.map(({ day, named, retired, replacesAll }, revision) => ({
      ...{ bookId: `book ${revision}`, effectiveFrom: moment(day), revision },
      prices: Object.fromEntries(named.map((alias) => [alias, price])),
      ...{ retired: retired.filter((alias) => !named.includes(alias)), replacesAll },
    })),
  )

/** Written independently of the code: the latest book in force that names, retires or replaces the alias decides. */
function expectedBook(published: readonly PriceBook[], alias: string, at: string): string | null {
  let latest: PriceBook | null = null
  for (const book of published) {
    const concerns = alias in book.prices || book.retired.includes(alias) || book.replacesAll
    if (!concerns || book.effectiveFrom > at) continue
    if (latest === null || book.effectiveFrom >= latest.effectiveFrom) latest = book
  }
  return latest && alias in latest.prices ? latest.bookId : null
}

const RUNS = { numRuns: propertyRuns({ few: 200, many: 1_000 }) }

test('the price at any moment is set by the latest book that names or retires the alias', () => {
  fc.assert(
    fc.property(books, (published) => {
      const list = priceListOf(published)
      for (let day = 0; day <= 6; day++) {
        for (const alias of ALIASES) {
          const found = priceAt(list, alias, moment(day))?.bookId ?? null
          expect(found).toBe(expectedBook(published, alias, moment(day)))
        }
      }
    }),
    RUNS,
  )
})

test('books that arrive in any order give the same price at any moment', () => {
  const shuffled = books.chain((inOrder) =>
    fc
      .shuffledSubarray(inOrder, { minLength: inOrder.length, maxLength: inOrder.length })
      .map((arrived) => ({ inOrder, arrived })),
  )
  fc.assert(
    fc.property(shuffled, ({ inOrder, arrived }) => {
      expect(priceListOf(arrived)).toEqual(priceListOf(inOrder))
    }),
    RUNS,
  )
})
