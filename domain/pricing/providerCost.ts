import type { AliasPrice } from '../../contracts/events/pricing.ts'
import { chargeAt } from './charge.ts'
import { tierFactor, unpricedUnits } from './price.ts'
import type { Usage } from './usage.ts'

/** What a provider charges us, in millionths of the currency. */
export type ProviderCost = { readonly currency: string; readonly price: AliasPrice }

/**
 * Rounded up like a charge, so that a margin is never overstated; null if the provider's fee for a unit is not known. The
 * tier is believed as reported, because the provider charges by it.
 */
export function providerCostMicros({ price }: ProviderCost, usage: Usage): bigint | null {
  const used = Object.keys(usage.units).filter((unit) => usage.units[unit])
  if (unpricedUnits(price, used).length > 0) return null
  return chargeAt(price, usage, tierFactor(price, usage.serviceTier)).amountMicros
}
