import { deterministicId } from '../../../capabilities/commands/eventId.ts'
import { creditsNumber } from '../../../domain/credits.ts'
import { reversalKey } from '../../../domain/ledger/decider.ts'
import type { CallRow } from '../../../projections/calls/projection.ts'
import type { Call } from './generated.ts'

export function shownCall(row: CallRow): Call {
  return {
    id: row.call_id,
    state: row.state,
    alias: row.alias,
    keyId: row.key_id,
    label: row.label,
    endpoint: row.endpoint,
    streamed: row.streamed,
    tokensIn: Number(row.tokens_in),
    tokensCached: row.tokens_cached === null ? null : Number(row.tokens_cached),
    tokensOut: Number(row.tokens_out),
    credits: creditsNumber(BigInt(row.charged_micros)),
    amountMicros: row.charged_micros,
    admittedAt: row.admitted_at,
    finishedAt: row.finished_at,
    reason: row.reason,
    eventIds: eventIdsOf(row),
  }
}

/** The event that ends a call has the id of the call. */
function eventIdsOf({ call_id, state }: CallRow): string[] {
  return state === 'REVERSED' ? [call_id, deterministicId(reversalKey(call_id))] : [call_id]
}
