import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { reversalKey } from '../../../domain/ledger/decider.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import type { Call } from './generated.ts'

export function shownCall(row: CallRow): Call {
  return {
    id: row.callId,
    state: row.state,
    alias: row.alias,
    keyId: row.keyId,
    label: row.label,
    endpoint: row.endpoint,
    streamed: row.streamed,
    tokensIn: Number(row.tokensIn),
    tokensCached: row.tokensCached === null ? null : Number(row.tokensCached),
    tokensOut: Number(row.tokensOut),
    credits: creditsNumber(BigInt(row.chargedMicros)),
    amountMicros: row.chargedMicros,
    admittedAt: row.admittedAt,
    finishedAt: row.finishedAt,
    reason: row.reason,
    eventIds: eventIdsOf(row),
  }
}

/** The event that ends a call has the id of the call. */
function eventIdsOf({ callId, state }: CallRow): string[] {
  return state === 'REVERSED' ? [callId, deterministicId(reversalKey(callId))] : [callId]
}
