import { deltaMicros } from '../../domain/ledger/balance.ts'
import { isWithin } from '../../domain/ledger/correction.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { ledgerOf, type RecordedLedgerEvent, type Replay, type Until } from './replay.ts'

export type WrongCorrection = { readonly what: string; readonly event: RecordedLedgerEvent; readonly micros: string }

type Entry = { readonly deltaMicros: bigint; worthMicros: bigint }

/**
 * The first correction that names no earlier entry, or that leaves an entry worth more than originally or less than
 * nothing. A charge may be reversed after it was corrected, which no check before a correction can know. Reads the
 * ledger a second time, but only if it has corrections.
 */
export async function wrongCorrection(
  store: TypedEventStore,
  companyId: string,
  until: Until,
  { adjustments }: Pick<Replay, 'adjustments'>,
): Promise<WrongCorrection | null> {
  const corrected = new Set(adjustments.flatMap(({ corrects }) => corrects ?? []))
  if (corrected.size === 0) return null
  const entries = new Map<string, Entry>()
  for await (const event of ledgerOf(store, companyId, until)) {
    const delta = deltaMicros(event)
    const named = namedBy(event)
    if (named !== null && (event.type === 'CreditsAdjusted' || corrected.has(named))) {
      const entry = entries.get(named)
      if (!entry) return { what: 'the correction names no earlier entry', event, micros: String(delta) }
      entry.worthMicros += delta
      if (!isWithin(entry.worthMicros, entry.deltaMicros)) {
        return { what: `entry ${named} is corrected by more than it was worth`, event, micros: String(delta) }
      }
    }
    if (corrected.has(event.id)) entries.set(event.id, { deltaMicros: delta, worthMicros: delta })
  }
  return null
}

/** The entry that an event takes back; null if none. The event of a charge has the id of its call. */
function namedBy({ type, data }: RecordedLedgerEvent): string | null {
  if (type === 'CreditsAdjusted') return data.corrects
  return type === 'ChargeReversed' ? data.callId : null
}
