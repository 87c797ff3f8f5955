import type { GrantSource } from '../../contracts/events/ledger.ts'

/**
 * What a ledger says about the lots of its company, in the order of its revisions. A projection maps each event that
 * changes the balance to one fact, so that the balance of the lots is the sum of the ledger (`creditLots.ts`):
 *
 * | Event | Fact |
 * |---|---|
 * | CreditsGranted | `granted`, with the grant's id; without terms of a lot it joins the lot `UNLIMITED_LOT` |
 * | CallCharged | `charged`, with the call's id |
 * | ChargeReversed | `reversed`, with the call's id |
 * | CreditsRefunded, a lost dispute | `taken` from the lot that was refunded or disputed |
 * | CreditsAdjusted that corrects a grant | `taken` if negative, `returned` if positive |
 * | CreditsAdjusted that corrects a refund | `returned` if positive, `taken` if negative, with the refund's id |
 * | CreditsAdjusted that corrects a charge | `reversed` if positive, `charged` if negative, with the call's id |
 * | CreditsAdjusted that corrects no entry | `granted` if positive, `charged` if negative, with the adjustment's id |
 * | InvoiceSettled | `granted`, a lot without expiry: it pays the debt of the month |
 * | Credits of a lot expire | `expired` |
 * | A charge came after that | `expiryGivenBack` |
 *
 * Amounts are never negative. Times are those that the events record, never those of a reader.
 */
export type LotFact =
  | (LotTerms & Booked & { readonly type: 'granted' })
  | (Booked & {
      readonly type: 'charged'
      readonly chargeId: string
      /** The charge burns lots that were valid at this moment. */
      readonly admittedAtMs: number
    })
  | (Booked & { readonly type: 'reversed'; readonly chargeId: string })
  | (Taking & { readonly type: 'taken' })
  /** A refund failed, a dispute was won, or a correction was undone: in whole or in part. */
  | (Taking & { readonly type: 'returned' })
  | (Booked & { readonly type: 'expired'; readonly lotId: string })
  /** Gives back what had expired and was burned by a charge that came later. */
  | (Booked & { readonly type: 'expiryGivenBack'; readonly lotId: string })

export type LotTerms = {
  readonly lotId: string
  readonly source: LotSource
  /** Lots with a higher number are burned first. */
  readonly priority: number
  /** From this moment on no call can use the lot; null if it stays valid. */
  readonly expiresAtMs: number | null
  /** What of the unused credits is granted again when they expire; null if nothing. */
  readonly rollover?: Rollover | null
}

export type Rollover = {
  /** In millionths. */
  readonly share: string
  readonly expiresAtMs: number
}

export type LotSource = GrantSource | 'SETTLEMENT'

/** Why credits were taken from a lot. */
export type TakenBy = 'refund' | 'dispute' | 'correction'

type Booked = { readonly amountMicros: bigint; readonly atMs: number }

type Taking = Booked & {
  readonly by: TakenBy
  /** The id of the refund, dispute or correction. */
  readonly takingId: string
  readonly lotId: string
}

/** Holds the grants from before lots had terms. Their refunds and corrections name no grant, so they are one lot. */
export const UNLIMITED_LOT: LotTerms = {
  ...{ lotId: 'unlimited', source: 'ADJUSTMENT', priority: 0, expiresAtMs: null },
}
