import type { PriceApplied } from '../../contracts/events/pricing.ts'
import { type PriceBook, priceListOf, pricesAt } from '../../domain/pricing/priceBook.ts'
import type { Sql } from '../runner/ports.ts'
import type { PriceBookRow } from './projection.ts'

/** The common books and those of each company. */
export function allPriceBooks(sql: Sql): Promise<PriceBookRow[]> {
  return sql.query<PriceBookRow>('select * from read_models.price_books')
}

/** Newest first, by when they take effect. */
export function newestPriceBooks(sql: Sql, limit: number): Promise<PriceBookRow[]> {
  return sql.query<PriceBookRow>(
    'select * from read_models.price_books order by effective_from desc, published_at desc, book_id limit $1',
    [limit],
  )
}

export async function priceBookById(sql: Sql, bookId: string): Promise<PriceBookRow | null> {
  const [row] = await sql.query<PriceBookRow>('select * from read_models.price_books where book_id = $1', [bookId])
  return row ?? null
}

/** The books of one company, or the common ones if it is null; newest first. */
export function priceBooksOf(sql: Sql, companyId: string | null): Promise<PriceBookRow[]> {
  return sql.query<PriceBookRow>(
    `select * from read_models.price_books where company_id is not distinct from $1
     order by effective_from desc, revision desc`,
    [companyId],
  )
}

/** The books that a company's calls are charged by: its own first, then the common ones; only these if it is null. */
export function priceBooksFor(sql: Sql, companyId: string | null): Promise<PriceBookRow[][]> {
  const owners = companyId === null ? [null] : [companyId, null]
  return Promise.all(owners.map((owner) => priceBooksOf(sql, owner)))
}

/** The prices in force by the books of `priceBooksFor`, by alias. */
export function pricesIn(books: readonly (readonly PriceBookRow[])[], at: string): Map<string, PriceApplied> {
  return pricesAt(
    books.map((rows) => priceListOf(rows.map(priceBookOf))),
    at,
  )
}

export type PriceBookPlace = Pick<PriceBookRow, 'bookId' | 'companyId'> & {
  /** Of its event in the stream of these prices. */
  readonly revision: number
}

/** Where the event of every book is, in the order of each stream. */
export async function priceBookPlaces(sql: Sql): Promise<PriceBookPlace[]> {
  const rows = await sql.query<Pick<PriceBookRow, 'bookId' | 'companyId' | 'revision'>>(
    'select book_id, company_id, revision from read_models.price_books order by company_id, revision',
  )
  return rows.map(({ revision, ...book }) => ({ ...book, revision: Number(revision) }))
}

export function priceBookOf(row: PriceBookRow): PriceBook {
  const { bookId, effectiveFrom, revision, prices, retired, replacesAll } = row
  return { bookId, effectiveFrom, revision: Number(revision), prices, retired, replacesAll }
}
