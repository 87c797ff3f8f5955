import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { chargeAt } from './charge.ts'
import { FACTOR_ONE, tierFactor, unpricedUnits } from './price.ts'
import { type PriceList, priceAt } from './priceBook.ts'
import { isLimited, type RecordedCharge, recordedUsage } from './recordedCharge.ts'

/** What a price book would change. */
export type PriceChanges = {
  /** null: the prices of all companies. */
  readonly companyId: string | null
  readonly prices: Readonly<Record<string, AliasPrice>>
  readonly retired: readonly string[]
}

/** The price lists of all companies, and of each company that has one. */
export type PriceLists = {
  readonly common: PriceList
  readonly ofCompany: (companyId: string) => PriceList | undefined
}

/**
 * What a call would have been charged if the book had been the latest one in its stream at that time; null if it would
 * have been refused, because its alias or a unit that it used would have had no price. A charge that its bound limited
 * stays limited, since the bound of the other price is not known.
 */
export function repricedMicros(changes: PriceChanges, call: RecordedCharge, lists: PriceLists): bigint | null {
  const price = priceWith(changes, call, lists)
  const usage = recordedUsage(call)
  if (!price || unpricedUnits(price, Object.keys(usage.units)).length > 0) return null
  const { amountMicros } = chargeAt(price, usage, factorOf(price, call))
  const recorded = BigInt(call.amountMicros)
  return isLimited(call) && amountMicros > recorded ? recorded : amountMicros
}

/**
 * The event does not say which tier was requested. One that was charged at its factor is taken as requested, which may be
 * too much if the recorded price had no factor for it.
 */
function factorOf(price: AliasPrice, { price: recorded, serviceTier, tierFactor: charged }: RecordedCharge): bigint {
  const isCharged = charged !== null && BigInt(charged) === tierFactor(recorded, serviceTier)
  return isCharged ? tierFactor(price, serviceTier) : FACTOR_ONE
}

function priceWith(
  changes: PriceChanges,
  { companyId, alias, admittedAt, price }: RecordedCharge,
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
