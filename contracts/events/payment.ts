import { z } from 'zod'
import { id, isoTime, signedMicros, type Upcaster } from './definition.ts'

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
