import type { LedgerLine } from '../callLedger.ts'
import { type LotEvent, LotsOfEvents } from './lotsOfEvents.ts'

/**
 * Gateways read which lots expire soon every five seconds, and lots follow the ledger by a second or two (decision 0032). What
 * was granted or restored later than this before a call may still count although it has expired, and what calls have used
 * meanwhile may be left out twice.
 */
export const LOTS_KNOWN_MS = 8_000

/** The lots of a company after these lines of its ledger. */
export function lotsOf(lines: Iterable<LedgerLine>): LotsOfEvents {
  const lots = new LotsOfEvents()
  for (const { event } of lines) lots.add(event as unknown as LotEvent)
  return lots
}

/** Whether gateways know at this moment what is left of the lots that have expired. */
export function areLotsKnown(lines: readonly LedgerLine[], atMs: number): boolean {
  return !lines.some(({ event: { type, recordedAt, data } }) => {
    const recordedMs = Date.parse(recordedAt)
    if (recordedMs > atMs || recordedMs < atMs - LOTS_KNOWN_MS) return false
    const lapses = (data as { readonly lot?: { readonly expiresAt: string | null } | null }).lot?.expiresAt ?? null
    return type === 'ChargeReversed' || (type === 'CreditsGranted' && lapses !== null)
  })
}
