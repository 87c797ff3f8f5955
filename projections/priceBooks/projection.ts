import type { AliasPrice, PricingEvent } from '../../contracts/events/pricing.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type PriceBookRow = {
  readonly book_id: string
  /** null: the prices of all companies. */
  readonly company_id: string | null
  readonly effective_from: string
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly retired: readonly string[]
  readonly replaces_all: boolean
  readonly published_at: string
  /** Its place in the stream: of two books for the same moment, the one published later wins. */
  readonly revision: string
}

export const priceBooks: Projection<PriceBookRow, PricingEvent> = {
  name: 'price-books',
  version: 2,
  categories: ['pricing'],
  table: 'price_books',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['book_id'],
  insertOnly: true,
  rowsOf: (event) => [{ book_id: event.data.bookId }],
  evolve: (row, event) => {
    if (row) return row
    switch (event.type) {
      case 'PriceBookPublished': {
        const { bookId, companyId, effectiveFrom, prices, retired, replacesAll, publishedAt } = event.data
        return {
          book_id: bookId,
          company_id: companyId,
          effective_from: effectiveFrom,
          prices,
          retired,
          replaces_all: replacesAll,
          published_at: publishedAt,
          revision: String(event.revision),
        }
      }
      default:
        return unexpected(event.type)
    }
  },
}
