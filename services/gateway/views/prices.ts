import type { PriceApplied } from '../../../contracts/events/ledger.ts'
import type { PricingEvent } from '../../../contracts/events/pricing.ts'
import { unexpected } from '../../../domain/decider.ts'
import { type PriceBook, priceAt, publish } from '../../../domain/pricing/priceBook.ts'
import type { PriceBookRow } from '../../../projections/priceBooks/projection.ts'

/** All price books: a call is priced by the book in force when it was admitted. */
export class PriceView {
  #books: readonly PriceBook[] = []

  priceAt(alias: string, at: string): PriceApplied | null {
    return priceAt(this.#books, alias, at)
  }

  seed(rows: readonly PriceBookRow[]): void {
    for (const row of rows) this.#add({ bookId: row.book_id, effectiveFrom: row.effective_from, prices: row.prices })
  }

  apply(event: PricingEvent): void {
    switch (event.type) {
      case 'PriceBookPublished':
        this.#add(event.data)
        return
      default:
        unexpected(event.type)
    }
  }

  #add(book: PriceBook): void {
    if (!this.#books.some((known) => known.bookId === book.bookId)) this.#books = publish(this.#books, book)
  }
}
