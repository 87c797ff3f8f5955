import { creditsNumber } from '../../../domain/credits.ts'
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
  }
}
