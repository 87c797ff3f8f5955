import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PRICING_STREAM, pricingStream } from '../../contracts/streams.ts'
import { priceAt, priceListOf } from '../../domain/pricing/priceBook.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { published } from '../../test/support/events/controlEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { AT } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { type PriceBookRow, priceBooks } from './projection.ts'
import { allPriceBooks, priceBookOf, priceBooksFor, priceBooksOf, pricesIn } from './queries.ts'

const MAY = '2026-05-01T00:00:00.000Z'
const JUNE = '2026-06-01T00:00:00.000Z'

test('every book is kept, in the order of publication', () => {
  const books = [published(randomUUID(), JUNE), published(randomUUID(), MAY)]
  const rows = [...applyEvents(priceBooks, history(PRICING_STREAM, ...books)).values()]
  expect(rows).toEqual(
    books.map(({ data }, revision) => ({
      bookId: data.bookId,
      companyId: null,
      effectiveFrom: data.effectiveFrom,
      prices: data.prices,
      retired: [],
      replacesAll: false,
      publishedAt: AT,
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

  /** Stored long after its start, which only a book of aliases without a price keeps. */
  const firstPrice = (bookId: string, from: string, rate: string, changes: object = {}) =>
    published(bookId, from, rate, { publishedAt: from, ...changes })

  test('price a call by the last one in force; of two for the same moment, by the one published later', async () => {
    const [first, june, may, mayAgain] = Array.from({ length: 4 }, () => randomUUID()) as [string, ...string[]]
    const publications = [
      firstPrice(first, AT, '1'),
      firstPrice(june ?? '', JUNE, '2'),
      firstPrice(may ?? '', MAY, '3'),
      firstPrice(mayAgain ?? '', MAY, '4'),
    ]
    for (const book of publications) await models.append(PRICING_STREAM, book)
    await models.rebuild(priceBooks)
    const list = priceListOf((await allPriceBooks(models.database)).map(priceBookOf))
    const bookAt = (at: string) => priceAt(list, 'svc/chat-default', at)?.bookId ?? null
    expect(bookAt('2026-03-01T10:00:29.999Z')).toBeNull()
    expect(bookAt(AT)).toBe(first)
    expect(bookAt('2026-04-30T23:59:59.999Z')).toBe(first)
    expect(bookAt(MAY)).toBe(mayAgain)
    expect(bookAt(JUNE)).toBe(june)
  })

  test('are found by company, the newest first, as they were published', async () => {
    const companyId = randomUUID()
    const [may, june] = [randomUUID(), randomUUID()]
    const retired = ['svc/embed-default']
    await models.append(pricingStream(companyId), firstPrice(june, JUNE, '1', { companyId, retired }))
    await models.append(pricingStream(companyId), firstPrice(may, MAY, '2', { companyId }))
    await models.rebuild(priceBooks)
    const rows = await priceBooksOf(models.database, companyId)
    expect(rows.map(({ bookId }) => bookId)).toEqual([june, may])
    const { effectiveFrom, prices } = published(june, JUNE, '1').data
    expect(priceBookOf(rows[0] as PriceBookRow)).toEqual({
      ...{ bookId: june, effectiveFrom, revision: 0, prices, retired, replacesAll: false },
    })
    expect((await priceBooksOf(models.database, null)).map(({ companyId }) => companyId)).not.toContain(companyId)
  })

  test("give a company its own prices before the common ones, and no other company's", async () => {
    const [companyId, other] = [randomUUID(), randomUUID()]
    const [common, own, later] = [randomUUID(), randomUUID(), randomUUID()]
    const price = { rates: { input: '7', output: '8' } }
    await models.append(PRICING_STREAM, firstPrice(common, MAY, '1'))
    await models.append(
      pricingStream(companyId),
      firstPrice(own, MAY, '2', { companyId, prices: { 'svc/chat-cheap': price, 'acme/own': price } }),
    )
    await models.append(pricingStream(companyId), firstPrice(later, JUNE, '3', { companyId }))
    await models.append(pricingStream(other), firstPrice(randomUUID(), MAY, '4', { companyId: other }))
    await models.rebuild(priceBooks)
    const bookIds = async (owner: string | null, at: string) =>
      Object.fromEntries(
        [...pricesIn(await priceBooksFor(models.database, owner), at)].map(([alias, { bookId }]) => [alias, bookId]),
      )
    expect(await bookIds(companyId, MAY)).toEqual({
      ...{ 'svc/chat-default': common, 'svc/chat-cheap': own, 'acme/own': own },
    })
    expect(await bookIds(companyId, JUNE)).toMatchObject({ 'svc/chat-default': later, 'acme/own': own })
    expect(await bookIds(null, MAY)).toEqual({ 'svc/chat-default': common, 'svc/chat-cheap': common })
  })
})
