import type { CallFacts } from '../../../contracts/events/ledger.ts'
import type { PriceApplied } from '../../../contracts/events/pricing.ts'
import type { LedgerCommand } from '../../../domain/ledger/decider.ts'
import { NO_USAGE, type Usage } from '../../../domain/pricing/usage.ts'

type ChargeCall = Extract<LedgerCommand, { type: 'ChargeCall' }>

/** Charges a call that was completed, at no particular service tier and without a limit. */
export function chargeCall(
  call: Omit<CallFacts, 'tokensCached' | 'tokensCacheWrite'>,
  price: PriceApplied,
  used: Partial<Usage>,
): ChargeCall {
  const usage = { ...NO_USAGE, ...used }
  return { type: 'ChargeCall', call, usage, price, requestedTier: null, mostMicros: null, abandoned: false }
}
