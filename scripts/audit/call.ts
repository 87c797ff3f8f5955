import type { RecordedEvent } from '../../contracts/envelope.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { evolve, ledgerDecider } from '../../domain/ledger/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { chargeFault, recomputedMicros } from './chargeFault.ts'
import { ledgerOf } from './replay.ts'

export type CallAudit = {
  readonly companyId: string
  readonly callId: string
  readonly events: readonly RecordedEvent[]
  /** The charge of the call less its reversal. */
  readonly netMicros: string
  /** The charge computed from its recorded price and usage; null without a charge, or without a price for all of it. */
  readonly recomputedMicros: string | null
  /** What does not follow from them, in the amount or in its lines; null if all does. */
  readonly fault: string | null
  readonly matches: boolean
}

export async function auditCall(store: TypedEventStore, companyId: string, callId: string): Promise<CallAudit> {
  const events: RecordedEvent[] = []
  let state = ledgerDecider.initialState()
  let recomputed: bigint | null = null
  let fault: string | null = null
  for await (const event of ledgerOf(store, companyId, null)) {
    if (!('callId' in event.data) || event.data.callId !== callId) continue
    events.push(event)
    state = evolve(state, event)
    if (event.type !== 'CallCharged') continue
    recomputed = recomputedMicros(event.data)
    fault ??= chargeFault(event.data)
  }
  const outcomes = events.filter(({ type }) => type === 'CallCharged' || type === 'CallFailed')
  return {
    companyId,
    callId,
    events,
    netMicros: (-balanceMicros(state)).toString(),
    recomputedMicros: recomputed?.toString() ?? null,
    fault,
    matches: outcomes.length === 1 && fault === null,
  }
}
