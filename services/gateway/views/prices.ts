import type { Recorded } from '../../../contracts/envelope.ts'
import type { PriceApplied, PricingEvent } from '../../../contracts/events/pricing.ts'
import { unexpected } from '../../../domain/decider.ts'
import {
  nextPriceFrom,
  type PriceBook,
  type PriceList,
  priceAt,
  priceListOf,
} from '../../../domain/pricing/priceBook.ts'
import type { PriceBookRow } from '../../../projections/priceBooks/projection.ts'
import { priceBookOf } from '../../../projections/priceBooks/queries.ts'

/** The price books of one stream. Their list is made at the first question after a change, not for each book of many. */
class Books {
  readonly #books = new Map<string, PriceBook>()
  #list: PriceList | null = null

  add(book: PriceBook): void {
    // A store may hold an event twice; the first one counts, as in the read models.
    if (this.#books.has(book.bookId)) return
    this.#books.set(book.bookId, book)
    this.#list = null
  }

  priceAt(alias: string, at: string): PriceApplied | null {
    return priceAt(this.#prices(), alias, at)
  }

  nextPriceFrom(alias: string, at: string): string | null {
    return nextPriceFrom(this.#prices(), alias, at)
  }

  #prices(): PriceList {
    this.#list ??= priceListOf(this.#books.values())
    return this.#list
  }
}

/** All price books: a call is priced by those in force when it was admitted. */
export class PriceView {
  readonly #common = new Books()
  readonly #byCompany = new Map<string, Books>()

  /** The company's own price; otherwise that of all companies; null if there is neither. */
  priceAt(companyId: string, alias: string, at: string): PriceApplied | null {
    return this.#byCompany.get(companyId)?.priceAt(alias, at) ?? this.#common.priceAt(alias, at)
  }

  /** When a company without a price for the alias gets one, its own or that of all companies; null if none is published. */
  nextPriceFrom(companyId: string, alias: string, at: string): string | null {
    const own = this.#byCompany.get(companyId)?.nextPriceFrom(alias, at) ?? null
    const common = this.#common.nextPriceFrom(alias, at)
    return own !== null && (common === null || own < common) ? own : common
  }

  seed(rows: readonly PriceBookRow[]): void {
    for (const row of rows) this.#booksOf(row.companyId).add(priceBookOf(row))
  }

  apply(event: Pick<Recorded<PricingEvent>, 'type' | 'data' | 'revision'>): void {
    switch (event.type) {
      case 'PriceBookPublished':
        this.#booksOf(event.data.companyId).add({ ...event.data, revision: event.revision })
        return
      default:
        unexpected(event.type)
    }
  }

  #booksOf(companyId: string | null): Books {
    if (companyId === null) return this.#common
    const books = this.#byCompany.get(companyId) ?? new Books()
    this.#byCompany.set(companyId, books)
    return books
  }
}
