import type { AliasPrice, PriceApplied } from '../../contracts/events/pricing.ts'

/** Changes the prices of the aliases that it names, from a moment on. */
export type PriceBook = {
  readonly bookId: string
  readonly effectiveFrom: string
  /** Its place in the stream: of two books for the same moment, the one published later wins. */
  readonly revision: number
  readonly prices: Readonly<Record<string, AliasPrice>>
  /** Aliases that have no price in this stream from then on. */
  readonly retired: readonly string[]
  /** A book of version 1: every alias that it does not name loses its price. */
  readonly replacesAll: boolean
}

/** What each alias costs from which moments on, oldest first; null while it has no price. */
export type PriceList = ReadonlyMap<string, readonly PriceChange[]>
export type PriceChange = { readonly from: string; readonly price: PriceApplied | null }

/** The price list given by the books of one stream, in any order. */
export function priceListOf(books: Iterable<PriceBook>): PriceList {
  const list = new Map<string, PriceChange[]>()
  const change = (alias: string, from: string, price: PriceApplied | null) => {
    const changes = list.get(alias)
    if (changes) changes.push({ from, price })
    else list.set(alias, [{ from, price }])
  }
  for (const book of [...books].sort(byMoment)) {
    const { bookId, effectiveFrom, prices, retired, replacesAll } = book
    const ended = replacesAll ? [...list.keys()] : retired
    for (const alias of ended) change(alias, effectiveFrom, null)
    for (const [alias, price] of Object.entries(prices)) change(alias, effectiveFrom, { ...price, bookId })
  }
  return list
}

function byMoment(a: PriceBook, b: PriceBook): number {
  if (a.effectiveFrom !== b.effectiveFrom) return a.effectiveFrom < b.effectiveFrom ? -1 : 1
  return a.revision - b.revision
}

/** The price of an alias at the time; null if the list has none for it. */
export function priceAt(list: PriceList, alias: string, at: string): PriceApplied | null {
  return list.get(alias)?.findLast(({ from }) => from <= at)?.price ?? null
}

/** When an alias gets its next price after the time; null if no book of the list gives it one. */
export function nextPriceFrom(list: PriceList, alias: string, at: string): string | null {
  return list.get(alias)?.find(({ from, price }) => from > at && price !== null)?.from ?? null
}

/** The prices at the time, by alias: those of the first list override those of the second. */
export function pricesAt(lists: readonly PriceList[], at: string): Map<string, PriceApplied> {
  const prices = new Map<string, PriceApplied>()
  for (const list of lists) {
    for (const alias of list.keys()) {
      const price = priceAt(list, alias, at)
      if (price && !prices.has(alias)) prices.set(alias, price)
    }
  }
  return prices
}
