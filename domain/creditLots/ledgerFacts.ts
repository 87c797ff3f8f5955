import { changesBalance, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import { priorityOf } from './burnOrder.ts'
import { type LotFact, type LotTerms, UNLIMITED_LOT } from './facts.ts'

/** An entry of the ledger that a later one may correct. A charge is known by its id. */
export type CorrectableEntry =
  | { readonly kind: 'grant'; readonly lotId: string }
  | { readonly kind: 'refund'; readonly lotId: string; readonly takingId: string }

/** What the entries before this one say that it does not repeat. */
export type EarlierEntries = {
  hasLot(lotId: string): boolean
  /** The entry under this event id; undefined if it is neither a grant nor a refund. */
  correctable(eventId: string): CorrectableEntry | undefined
  isCharge(eventId: string): boolean
}

type Fact<Type extends LotFact['type']> = Extract<LotFact, { type: Type }>

/** What an event means for the lots; null if nothing. */
export function lotFactOf(event: LedgerEvent, earlier: EarlierEntries): LotFact | null {
  if (!changesBalance(event)) return null
  const { data } = event
  const amountMicros = BigInt(data.amountMicros)
  if (amountMicros === 0n) return null
  // Refunds of grants from before lots had terms name lots that do not exist.
  const lotOf = (grantId: string | null) =>
    grantId !== null && earlier.hasLot(grantId) ? grantId : UNLIMITED_LOT.lotId
  switch (event.type) {
    case 'CreditsGranted':
      return { type: 'granted', ...termsOf(event.data), amountMicros, atMs: Date.parse(event.data.grantedAt) }
    case 'CallCharged': {
      const { callId: chargeId, admittedAt, finishedAt } = event.data
      const admittedAtMs = Date.parse(admittedAt)
      return { type: 'charged', chargeId, amountMicros, admittedAtMs, atMs: Date.parse(finishedAt) }
    }
    case 'ChargeReversed':
      return { type: 'reversed', chargeId: event.data.callId, amountMicros, atMs: Date.parse(event.data.reversedAt) }
    case 'CreditsRefunded': {
      const { grantId, refundId, refundedAt } = event.data
      const taking = { by: 'refund', takingId: refundId, lotId: lotOf(grantId) } as const
      return { type: 'taken', ...taking, amountMicros, atMs: Date.parse(refundedAt) }
    }
    case 'CreditsWithdrawn': {
      const { grantId, disputeId, withdrawnAt } = event.data
      const taking = { by: 'dispute', takingId: disputeId, lotId: lotOf(grantId) } as const
      return { type: 'taken', ...taking, amountMicros, atMs: Date.parse(withdrawnAt) }
    }
    case 'CreditsReinstated': {
      const { grantId, disputeId, reinstatedAt } = event.data
      const atMs = Date.parse(reinstatedAt)
      if (disputeId === null) return { type: 'expiryGivenBack', lotId: lotOf(grantId), amountMicros, atMs }
      const taking = { by: 'dispute', takingId: disputeId, lotId: lotOf(grantId) } as const
      return { type: 'returned', ...taking, amountMicros, atMs }
    }
    case 'CreditsExpired':
      return { type: 'expired', lotId: event.data.grantId, amountMicros, atMs: Date.parse(event.data.expiredAt) }
    case 'CreditsAdjusted':
      return adjustment(event.data, amountMicros, earlier)
    case 'InvoiceSettled': {
      const { month, settledAt } = event.data
      const terms = { ...UNLIMITED_LOT, lotId: `settlement:${month}`, source: 'SETTLEMENT' } as const
      return { type: 'granted', ...terms, amountMicros, atMs: Date.parse(settledAt) }
    }
    default:
      return unexpected(event)
  }
}

function termsOf({ grantId, source, lot }: Extract<LedgerEvent, { type: 'CreditsGranted' }>['data']): LotTerms {
  if (lot === null) return UNLIMITED_LOT
  const { priority, expiresAt, rollover } = lot
  return {
    lotId: grantId,
    source,
    priority: Math.max(priority, priorityOf(source)),
    expiresAtMs: expiresAt === null ? null : Date.parse(expiresAt),
    rollover: rollover && { share: rollover.share, expiresAtMs: Date.parse(rollover.expiresAt) },
  }
}

/** Corrections go to the lot of the corrected entry. One that corrects none, or none that is known, is a lot or a charge. */
function adjustment(
  { adjustmentId, corrects, adjustedAt }: Extract<LedgerEvent, { type: 'CreditsAdjusted' }>['data'],
  signedMicros: bigint,
  earlier: EarlierEntries,
): LotFact {
  const adds = signedMicros > 0n
  const booked = { amountMicros: adds ? signedMicros : -signedMicros, atMs: Date.parse(adjustedAt) }
  const entry = corrects === null ? undefined : earlier.correctable(corrects)
  const moved = adds ? 'returned' : 'taken'
  if (entry?.kind === 'grant') {
    return { type: moved, by: 'correction', takingId: String(corrects), lotId: entry.lotId, ...booked }
  }
  if (entry?.kind === 'refund') {
    return { type: moved, by: 'refund', takingId: entry.takingId, lotId: entry.lotId, ...booked }
  }
  if (corrects !== null && earlier.isCharge(corrects)) return changedCharge(corrects, adds, booked)
  if (!adds) return { type: 'charged', chargeId: adjustmentId, admittedAtMs: booked.atMs, ...booked }
  return { type: 'granted', ...UNLIMITED_LOT, lotId: adjustmentId, ...booked }
}

function changedCharge(
  chargeId: string,
  adds: boolean,
  booked: Pick<Fact<'reversed'>, 'amountMicros' | 'atMs'>,
): Fact<'reversed' | 'charged'> {
  if (adds) return { type: 'reversed', chargeId, ...booked }
  return { type: 'charged', chargeId, admittedAtMs: booked.atMs, ...booked }
}
