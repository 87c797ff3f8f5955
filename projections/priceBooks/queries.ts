import type { Sql } from '../runner/ports.ts'
import type { PriceBookRow } from './projection.ts'

/** In the order of publication. */
export function allPriceBooks(sql: Sql): Promise<PriceBookRow[]> {
  return sql.query<PriceBookRow>('select * from read_models.price_books order by revision')
}
