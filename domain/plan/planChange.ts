import { minorUnits } from '../price.ts'

/** The values by which two plans are compared. Prices are in major units of the currency. */
export type PlanOffer = { readonly price: string; readonly currency: string; readonly creditsMicros: bigint }

/**
 * Whether a change takes effect at once, with proration. Only a plan that costs more and grants no fewer credits does: every
 * other change waits for the end of the period. A subscription that was already paid keeps its credits, so switching down
 * and up again within a period would otherwise create credits.
 */
export function isUpgrade(from: PlanOffer, to: PlanOffer): boolean {
  const [before, after] = [from, to].map(({ price, currency }) => BigInt(minorUnits(price, currency)))
  return after !== undefined && before !== undefined && after > before && to.creditsMicros >= from.creditsMicros
}
