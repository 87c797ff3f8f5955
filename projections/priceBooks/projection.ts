import type { AliasPrice, PricingEvent } from '../../contracts/events/pricing.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type PriceBookRow = {
  readonly bookId: string
  /** null: the prices of all companies. */
  readonly companyId: string | null
  readonly effectiveFrom: string
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly retired: readonly string[]
  readonly replacesAll: boolean
  readonly publishedAt: string
  /** Its place in the stream: of two books for the same moment, the one published later wins. */
  readonly revision: string
}

export const priceBooks: Projection<PriceBookRow, PricingEvent> = {
  name: 'price-books',
  version: 4,
  categories: ['pricing'],
  table: 'price_books',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['bookId'],
  insertOnly: true,
  rowsOf: (event) => [{ bookId: event.data.bookId }],
  evolve: (row, event) => {
    if (row) return row
    switch (event.type) {
      case 'PriceBookPublished': {
        const { bookId, companyId, effectiveFrom, prices, retired, replacesAll, publishedAt } = event.data
        const book = { bookId, companyId, effectiveFrom, prices, retired, replacesAll, publishedAt }
        return { ...book, revision: String(event.revision) }
      }
      default:
        return unexpected(event.type)
    }
  },
}
