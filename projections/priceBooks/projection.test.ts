import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRICING_STREAM } from '../../contracts/streams.ts'
import { type PriceBook, priceAt, publish } from '../../domain/pricing/priceBook.ts'
import { published } from '../../test/support/controlEvents.ts'
import { history } from '../../test/support/history.ts'
import { AT } from '../../test/support/ledgerEvents.ts'
import { ReadModels } from '../../test/support/readModels.ts'
import { applyEvents } from '../projection.ts'
import { priceBooks } from './projection.ts'
import { allPriceBooks } from './queries.ts'

const MAY = '2026-05-01T00:00:00.000Z'
const JUNE = '2026-06-01T00:00:00.000Z'

test('every book stays, with the order in which it was published', () => {
  const books = [published(randomUUID(), JUNE), published(randomUUID(), MAY)]
  const rows = [...applyEvents(priceBooks, history(PRICING_STREAM, ...books)).values()]
  expect(rows).toEqual(
    books.map(({ data }, revision) => ({
      book_id: data.bookId,
      effective_from: data.effectiveFrom,
      prices: data.prices,
      published_at: AT,
      revision: String(revision),
    })),
  )
})

describe('books read back from the table', () => {
  let models: ReadModels
  beforeAll(async () => {
    models = await ReadModels.open()
  })
  afterAll(() => models.close())

  test('price a call by the last one in force; of two for the same moment, by the one published later', async () => {
    const [first, june, may, mayAgain] = Array.from({ length: 4 }, () => randomUUID()) as [string, ...string[]]
    const publications = [
      published(first, AT, '1'),
      published(june ?? '', JUNE, '2'),
      published(may ?? '', MAY, '3'),
      published(mayAgain ?? '', MAY, '4'),
    ]
    for (const book of publications) await models.append(PRICING_STREAM, book)
    await models.rebuild(priceBooks)
    let books: PriceBook[] = []
    for (const row of await allPriceBooks(models.database)) {
      books = publish(books, { bookId: row.book_id, effectiveFrom: row.effective_from, prices: row.prices })
    }
    const bookAt = (at: string) => priceAt(books, 'svc/chat-default', at)?.bookId ?? null
    expect(bookAt('2026-03-01T10:00:29.999Z')).toBeNull()
    expect(bookAt(AT)).toBe(first)
    expect(bookAt('2026-04-30T23:59:59.999Z')).toBe(first)
    expect(bookAt(MAY)).toBe(mayAgain)
    expect(bookAt(JUNE)).toBe(june)
  })
})
