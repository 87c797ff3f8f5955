import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { LoggedCall } from '../support/parties/recordingProvider.ts'
import type { Outcome } from './chatCall.ts'

export type Evidence = {
  /** What the clients saw. */
  readonly outcomes: readonly Outcome[]
  /** What the company's ledger says. */
  readonly ledger: readonly LedgerEvent[]
  /** What the provider knows. */
  readonly log: readonly LoggedCall[]
}

export type Verdict = {
  /** Every breach of the first invariant, as a sentence. */
  readonly faults: string[]
  readonly whole: number
  readonly charged: number
  /** Charges of calls whose response did not arrive whole. */
  readonly chargedNotWhole: number
}

type Bookings = { charges: Extract<LedgerEvent, { type: 'CallCharged' }>['data'][]; failures: number }

/** A disk or a host that stalls for seconds is no fault of ours, and refusing calls meanwhile is what we promise. */
const REFUSED_WHILE_STALLED: ReadonlySet<string> = new Set([
  'Charges cannot be stored at present, so no billed call is accepted. Retry with backoff.',
  'The prices of this gateway may be outdated, so no billed call is accepted. Retry with backoff.',
])

/** Compares three accounts of the same calls: the callers', the ledger's and the provider's. Each call that arrived whole must have one charge. */
export function judge({ outcomes, ledger, log }: Evidence): Verdict {
  const faults: string[] = []
  const bookings = bookingsByCall(ledger)
  const logged = new Map(log.map((call) => [call.callId, call]))
  const wholeCalls = new Set<string>()

  for (const { marker, whole, callId, status, message = 'no message' } of outcomes) {
    if (status !== null && status !== 200) {
      if (!REFUSED_WHILE_STALLED.has(message)) faults.push(`call ${marker} was answered with ${status}: ${message}`)
      else if (bookings.has(callId ?? '')) faults.push(`call ${marker} (${callId}) was refused and is on the ledger`)
    }
    if (!whole || callId === null) continue
    wholeCalls.add(callId)
    const charges = bookings.get(callId)?.charges.length ?? 0
    if (charges !== 1) faults.push(`call ${marker} (${callId}) arrived whole and has ${charges} charges`)
  }
  let charged = 0
  let chargedNotWhole = 0
  for (const [callId, { charges, failures }] of bookings) {
    const [charge] = charges
    if (!charge) continue
    charged += 1
    if (charges.length > 1) faults.push(`call ${callId} has ${charges.length} charges`)
    if (failures > 0) faults.push(`call ${callId} was charged and has failed`)
    const call = logged.get(callId)
    if (call?.completedAtMs == null) {
      faults.push(`call ${callId} was charged, but the provider did not complete it`)
    } else if (call.usage.tokensIn !== charge.tokensIn || call.usage.tokensOut !== charge.tokensOut) {
      faults.push(`call ${callId} was charged for other tokens than the provider counted`)
    }
    if (!wholeCalls.has(callId)) chargedNotWhole += 1
  }
  return { faults, whole: wholeCalls.size, charged, chargedNotWhole }
}

function bookingsByCall(ledger: readonly LedgerEvent[]): Map<string, Bookings> {
  const bookings = new Map<string, Bookings>()
  for (const { type, data } of ledger) {
    if (type !== 'CallCharged' && type !== 'CallFailed') continue
    const found = bookings.get(data.callId) ?? { charges: [], failures: 0 }
    if (type === 'CallCharged') found.charges.push(data)
    else found.failures += 1
    bookings.set(data.callId, found)
  }
  return bookings
}
