import type { RecordedEvent } from '../../contracts/envelope.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { evolve, ledgerDecider } from '../../domain/ledger/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { ledgerOf, recomputedMicros } from './replay.ts'

export type CallAudit = {
  readonly companyId: string
  readonly callId: string
  readonly events: readonly RecordedEvent[]
  /** The charge of the call less its reversal. */
  readonly netMicros: string
  /** The charge computed from its recorded price and tokens; null without a charge. */
  readonly recomputedMicros: string | null
  readonly matches: boolean
}

export async function auditCall(store: TypedEventStore, companyId: string, callId: string): Promise<CallAudit> {
  const events: RecordedEvent[] = []
  let state = ledgerDecider.initialState()
  let recomputed: bigint | null = null
  for await (const event of ledgerOf(store, companyId, null)) {
    if (!('callId' in event.data) || event.data.callId !== callId) continue
    events.push(event)
    state = evolve(state, event)
    recomputed = recomputedMicros(event) ?? recomputed
  }
  const outcomes = events.filter(({ type }) => type === 'CallCharged' || type === 'CallFailed')
  return {
    companyId,
    callId,
    events,
    netMicros: (-balanceMicros(state)).toString(),
    recomputedMicros: recomputed?.toString() ?? null,
    matches: outcomes.length === 1 && (recomputed === null || recomputed === state.chargesMicros),
  }
}
