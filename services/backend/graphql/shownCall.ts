import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { reversalKey } from '../../../domain/ledger/decider.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import type { Call } from './generated.ts'

export function shownCall(row: CallRow): Call {
  const { callId: id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason } = row
  return {
    ...{ id, state, alias, keyId, label, endpoint, streamed, admittedAt, finishedAt, reason },
    tokensIn: Number(row.tokensIn),
    tokensCached: row.tokensCached === null ? null : Number(row.tokensCached),
    tokensOut: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
    eventIds: eventIdsOf(row),
  }
}

/** The event that ends a call has the id of the call. */
function eventIdsOf({ callId, state }: CallRow): string[] {
  return state === 'REVERSED' ? [callId, deterministicId(reversalKey(callId))] : [callId]
}
