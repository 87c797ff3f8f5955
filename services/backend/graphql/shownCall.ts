import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import type { ChargeLine } from '../../../contracts/events/ledger.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { reversalKey } from '../../../domain/ledger/decider.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import { shownFactor } from './credits/shownPrices.ts'
import type { Call, ChargeLine as ShownLine } from './generated.ts'

export function shownCall(row: CallRow): Call {
  const { callId: id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason } = row
  const { lines, serviceTier, tierFactor, abandoned } = row
  return {
    ...{ id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason, serviceTier, abandoned },
    tokensIn: Number(row.tokensIn),
    tokensCached: row.tokensCached === null ? null : Number(row.tokensCached),
    tokensOut: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
    lines: lines?.map(shownLine) ?? null,
    tierFactor: tierFactor === null ? null : shownFactor(tierFactor),
    eventIds: eventIdsOf(row),
  }
}

function shownLine({ kind, count, rate, amountMicros }: ChargeLine): ShownLine {
  const [rateCredits, credits] = [creditsNumber(BigInt(rate)), creditsNumber(BigInt(amountMicros))]
  return { kind, count, rateCredits, rateMicros: rate, credits, amountMicros }
}

/** The event that ends a call has the id of the call. */
function eventIdsOf({ callId, state }: CallRow): string[] {
  return state === 'REVERSED' ? [callId, deterministicId(reversalKey(callId))] : [callId]
}
