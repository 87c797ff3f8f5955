import type { PriceApplied } from '../../contracts/events/ledger.ts'
import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { chargeMicros } from './charge.ts'
import { type PriceList, priceAt } from './priceBook.ts'
import type { Usage } from './usage.ts'

/** What a price book would change. */
export type PriceChanges = {
  /** null: the prices of all companies. */
  readonly companyId: string | null
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly retired: readonly string[]
}

/** A call that was charged, as its event records it. */
export type ChargedCall = Usage & {
  readonly companyId: string
  readonly alias: string
  readonly admittedAt: string
  readonly price: PriceApplied
}

/** The price lists of all companies, and of each company that has one. */
export type PriceLists = {
  readonly common: PriceList
  readonly ofCompany: (companyId: string) => PriceList | undefined
}

/**
 * What a call would have been charged if the book had been the latest one in its stream at that time; null if its alias
 * would have had no price.
 */
export function repricedMicros(changes: PriceChanges, call: ChargedCall, lists: PriceLists): bigint | null {
  const price = priceWith(changes, call, lists)
  return price && chargeMicros(price, call)
}

function priceWith(
  changes: PriceChanges,
  { companyId, alias, admittedAt, price }: ChargedCall,
  { common, ofCompany }: PriceLists,
): AliasPrice | null {
  const isNamed = Object.hasOwn(changes.prices, alias)
  if (!isNamed && !changes.retired.includes(alias)) return price
  if (changes.companyId === null) {
    // A company's own price takes precedence over the common one.
    const own = ofCompany(companyId)
    if (own && priceAt(own, alias, admittedAt)) return price
    return isNamed ? (changes.prices[alias] ?? null) : null
  }
  if (changes.companyId !== companyId) return price
  return isNamed ? (changes.prices[alias] ?? null) : priceAt(common, alias, admittedAt)
}
