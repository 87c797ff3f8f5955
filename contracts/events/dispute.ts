import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'
import { askedAt, currency, minorAmount, providerId } from './payment.ts'

/**
 * Open: NEEDS_RESPONSE and UNDER_REVIEW. WITHDRAWN is for a dispute that ended without a decision: the cardholder's bank only
 * inquired and closed the inquiry, or the payment was refunded.
 */
export const DISPUTE_STATUSES = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'WITHDRAWN'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** A dispute as the provider described it at one moment. */
export const disputeFacts = z.strictObject({
  status: z.enum(DISPUTE_STATUSES),
  /** The cardholder's bank only inquires: it has not taken the money yet. */
  isInquiry: z.boolean(),
  amountMinor: minorAmount,
  currency,
  /** In the provider's words, such as "fraudulent". */
  reason: z.string(),
  /** The deadline for evidence; null if there is none. */
  respondBy: isoTime.nullable(),
})
export type DisputeFacts = z.infer<typeof disputeFacts>

/** The payment that is disputed, and what it was for. */
export const disputedPayment = z.strictObject({
  chargeId: providerId,
  paymentIntentId: providerId.nullable(),
  /** It was for a purchase, an invoice, or for nothing of ours that grants credits. */
  purchaseId: id.nullable(),
  invoiceId: providerId.nullable(),
  chargedMinor: minorAmount,
  currency,
})
export type DisputedPayment = z.infer<typeof disputedPayment>

const report = {
  disputeId: providerId,
  companyId: id,
  facts: disputeFacts,
  /** The provider's own time of the report, which orders the reports about one dispute. */
  saidAt: isoTime,
  askedAt,
}

export const disputeEvents = {
  /** `openedAt` is the provider's time of the dispute, which may be long before we heard of it. */
  DisputeOpened: event(1, z.strictObject({ ...report, payment: disputedPayment, openedAt: isoTime })),
  /** A newer report that does not end the dispute, or that does not change how it ended. */
  DisputeUpdated: event(1, z.strictObject(report)),
  /** A bank may decide again, so a dispute can be closed more than once, each time with another status. */
  DisputeClosed: event(1, z.strictObject(report)),
}

export type DisputeEvent = EventUnion<typeof disputeEvents>
