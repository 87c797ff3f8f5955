import { z } from 'zod'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'
import { currency, minorAmount, providerId } from './payment.ts'

export const INVOICE_STATUSES = [
  'DRAFT',
  'OPEN',
  'PAID',
  'PAYMENT_FAILED',
  'ACTION_REQUIRED',
  'FINALIZATION_FAILED',
  'VOID',
  'UNCOLLECTIBLE',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** An invoice as the provider described it at one moment. */
export const invoiceFacts = z.strictObject({
  status: z.enum(INVOICE_STATUSES),
  /** null: the provider made none, and it stands for a purchase. */
  providerInvoiceId: providerId.nullable(),
  subscriptionId: providerId.nullable(),
  amountMinor: minorAmount,
  currency,
  issuedAt: isoTime,
  dueAt: isoTime.nullable(),
  paidAt: isoTime.nullable(),
  /** Where a person pays it. */
  payUrl: z.string().nullable(),
})
export type InvoiceFacts = z.infer<typeof invoiceFacts>

/** The grant on the ledger that follows from a paid invoice. */
export const invoiceGrant = z.strictObject({ grantId: id, creditsMicros: positiveMicros })
export type InvoiceGrant = z.infer<typeof invoiceGrant>

const invoice = { invoiceId: providerId, companyId: id }
/** saidAt is the provider's own time of the event, by which those of one object are ordered. */
const report = { ...invoice, saidAt: isoTime, facts: invoiceFacts }

export const invoiceEvents = {
  InvoiceFinalized: event(1, z.strictObject(report)),
  InvoicePaid: event(1, z.strictObject({ ...report, grant: invoiceGrant.nullable() })),
  InvoicePaymentFailed: event(1, z.strictObject({ ...report, nextAttemptAt: isoTime.nullable() })),
  InvoiceActionRequired: event(1, z.strictObject(report)),
  InvoiceFinalizationFailed: event(1, z.strictObject({ ...report, reason: z.string() })),
  /** What the provider answered when it was asked about a second of which its events disagree. */
  InvoiceAnswered: event(1, z.strictObject(report)),
  InvoiceRefundSeen: event(
    1,
    z.strictObject({ ...invoice, chargedMinor: minorAmount, refundedMinor: minorAmount, saidAt: isoTime }),
  ),
  /** The refund on the ledger that follows from one that was seen, and what was taken back with it in all. */
  InvoiceCreditsTakenBack: event(
    1,
    z.strictObject({
      ...invoice,
      refundId: id,
      amountMicros: positiveMicros,
      totalMicros: positiveMicros,
      takenBackAt: isoTime,
    }),
  ),
}

export type InvoiceEvent = EventUnion<typeof invoiceEvents>
