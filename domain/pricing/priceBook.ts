import type { PriceApplied } from '../../contracts/events/ledger.ts'
import type { AliasPrice } from '../../contracts/events/pricing.ts'

export type PriceBook = {
  readonly bookId: string
  readonly effectiveFrom: string
  readonly prices: Readonly<Record<string, AliasPrice>>
}

/** Keeps the books in the order in which they take effect; of two for the same moment, the one published later wins. */
export function publish(books: readonly PriceBook[], book: PriceBook): PriceBook[] {
  const later = books.findIndex((other) => other.effectiveFrom > book.effectiveFrom)
  const at = later === -1 ? books.length : later
  return [...books.slice(0, at), book, ...books.slice(at)]
}

/** The price of an alias in the book that was in force at the time; null if it was not for sale. */
export function priceAt(books: readonly PriceBook[], alias: string, at: string): PriceApplied | null {
  const book = books.findLast((candidate) => candidate.effectiveFrom <= at)
  // The alias comes from a caller: "constructor" must not find an inherited property.
  const price = book && Object.hasOwn(book.prices, alias) ? book.prices[alias] : undefined
  return book && price ? { ...price, bookId: book.bookId } : null
}
