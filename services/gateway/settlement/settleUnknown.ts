import type { UnsettledCall } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import type { AppendStillUnknown } from '../../../platform/eventStore/pursuit.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { Claim } from '../idempotency/claim.ts'
import type { CallCharge } from '../idempotency/keptAnswer.ts'
import { forgetCharge } from '../views/balances.ts'

export type UncertainCharge = {
  readonly charge: CallCharge
  readonly claim: Claim | null
  readonly hold: CallHold | null
}

/**
 * Ends the pursuit of a charge whose caller has waited long enough. Resolves when the call is recorded on the disk, so
 * that the caller may be told that it failed. It is then settled by this process or the next one.
 */
export async function settleUnknown(
  deps: GatewayDependencies,
  uncertain: UncertainCharge,
  unknown: AppendStillUnknown,
): Promise<void> {
  unknown.giveUp()
  const {
    tokensIn: _in,
    tokensOut: _out,
    amountMicros: _micros,
    price: _price,
    lines: _lines,
    ...rest
  } = uncertain.charge
  const { serviceTier: _tier, tierFactor: _factor, abandoned: _abandoned, ...call } = rest
  const unsettled = {
    call,
    claim: uncertain.claim?.holding ?? null,
    from: unknown.from,
  }
  await deps.settlement.record(unsettled)
  deps.background.add(settle(deps, uncertain, unsettled, unknown))
}

async function settle(
  { settlement, views }: GatewayDependencies,
  { charge, hold }: UncertainCharge,
  unsettled: UnsettledCall,
  { settled }: AppendStillUnknown,
): Promise<void> {
  // The attempt that is under way ends first, so that the two do not compete.
  await settled.catch(() => {})
  const end = await settlement.settle(unsettled)
  if (end.as !== 'failed') return hold?.settle(end.position, BigInt(charge.amountMicros))
  hold?.release()
  forgetCharge(views, charge.callId)
}
