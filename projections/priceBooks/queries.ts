import type { PriceBook } from '../../domain/pricing/priceBook.ts'
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

export function priceBookOf(row: PriceBookRow): PriceBook {
  const { bookId, effectiveFrom, revision, prices, retired, replacesAll } = row
  return { bookId, effectiveFrom, revision: Number(revision), prices, retired, replacesAll }
}
