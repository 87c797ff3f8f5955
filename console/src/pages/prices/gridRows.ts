import type { PriceBooksQuery, RoutedAliasesQuery } from '../../graphql/generated.ts'
import type { GridRow } from './PriceGrid.tsx'
import type { Price } from './priceDraft.ts'

type Facts = {
  readonly prices: readonly Price[]
  readonly models: RoutedAliasesQuery['models']
  readonly books: PriceBooksQuery['priceBooks']
  /** Aliases entered on the page. */
  readonly added: readonly string[]
  readonly companyId: string | null
}

/** Every alias that has a price or a route or was added, sorted by name. */
export function gridRows({ prices, models, books, added, companyId }: Facts): GridRow[] {
  const priceOf = new Map(prices.map((price) => [price.alias, price]))
  const routed = new Set(models.filter(({ providers }) => providers.length > 0).map(({ alias }) => alias))
  const own = new Set(books.filter((book) => book.companyId === companyId).map(({ id }) => id))
  const aliases = new Set([...priceOf.keys(), ...routed, ...added])
  return [...aliases].toSorted().map((alias) => {
    const price = priceOf.get(alias)
    const isCommon = companyId !== null && price !== undefined && !own.has(price.bookId)
    return { alias, price, isUnrouted: !routed.has(alias), isCommon }
  })
}
