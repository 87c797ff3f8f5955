import { z } from 'zod'
import { id, isoTime, nonNegativeMicros, positiveMicros, signedMicros, type Upcaster } from './definition.ts'

/** The id of an object of the payment provider (evt_…, sub_…, in_…), or of our own in its place. */
export const providerId = z.string().regex(/^[A-Za-z0-9_-]{1,200}$/)
/** An amount of money in the smallest unit of its currency: cents, yen, fils. A string, as amounts of credits are. */
export const minorAmount = z.string().regex(/^(0|[1-9]\d{0,17})$/)
export const CURRENCY = /^[a-z]{3}$/
export const currency = z.string().regex(CURRENCY)

/** Our time of the question that an answer of the provider refers to; null in answers of schema version 1. */
export const askedAt = isoTime.nullable()
export const withoutAskedAt: Upcaster = (data) => ({ ...data, askedAt: null })

/**
 * A correction of the grant for a purchase or an invoice, or of credits that were taken back from it. It is decided on
 * the stream of the purchase or invoice, like refunds, and booked on the ledger as CreditsAdjusted.
 */
export const correctedCredits = {
  grantId: id,
  /** The ledger refund that it corrects; null if it corrects the grant. */
  refundId: id.nullable(),
  /** Positive if credits are added, negative if they are taken. */
  amountMicros: signedMicros,
  /** Counts the corrections of that entry from 1. */
  correction: z.int().positive(),
  adjustmentId: id,
  reason: z.string(),
  /** The user who made it; null if it follows from a report of the provider, such as a refund that failed. */
  adjustedBy: id.nullable(),
  /** It was on the ledger before corrections were decided here. */
  isEarlier: z.boolean(),
  correctedAt: isoTime,
}
export type CorrectedCredits = z.infer<z.ZodObject<typeof correctedCredits>>

/** What a dispute takes of a payment, as its own stream knows it. */
export const seenDispute = {
  disputeId: providerId,
  /** Counts the reports on the stream of the dispute: a smaller one is outdated. */
  report: z.int().positive(),
  chargedMinor: minorAmount,
  /** "0" once the dispute was won or withdrawn. */
  disputedMinor: minorAmount,
  saidAt: isoTime,
}

/** The ledger entry CreditsWithdrawn that follows from a dispute. */
export const withdrawnCredits = {
  disputeId: providerId,
  /** Counts the withdrawals of the dispute from 1. */
  withdrawal: z.int().positive(),
  amountMicros: positiveMicros,
  withdrawnAt: isoTime,
}

/** The ledger entry CreditsReinstated that follows from a dispute. */
export const reinstatedCredits = {
  disputeId: providerId,
  amountMicros: positiveMicros,
  reinstatedBeforeMicros: nonNegativeMicros,
  reinstatedAt: isoTime,
}
