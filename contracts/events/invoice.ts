import { z } from 'zod'
import { type EventUnion, event, id, isoTime, positiveMicros, type Upcaster } from './definition.ts'
import { lotTerms } from './lotTerms.ts'
import {
  askedAt,
  correctedCredits,
  currency,
  minorAmount,
  providerId,
  reinstatedCredits,
  seenDispute,
  withdrawnCredits,
  withoutAskedAt,
} from './payment.ts'
import { invoiceLine, month } from './postpaid.ts'

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
  /** null if the provider made no invoice; this one then represents a purchase. */
  providerInvoiceId: providerId.nullable(),
  subscriptionId: providerId.nullable(),
  amountMinor: minorAmount,
  currency,
  issuedAt: isoTime,
  dueAt: isoTime.nullable(),
  paidAt: isoTime.nullable(),
  /** The page on which the invoice can be paid. */
  payUrl: z.string().nullable(),
  /** null in reports of the first schema versions. */
  pdfUrl: z.string().nullable(),
})
export type InvoiceFacts = z.infer<typeof invoiceFacts>

/** The ledger grant that follows from a paid invoice. */
export const invoiceGrant = z.strictObject({
  grantId: id,
  creditsMicros: positiveMicros,
  /** null in reports of the first schema versions: their credits do not expire. */
  lot: lotTerms.nullable(),
})
export type InvoiceGrant = z.infer<typeof invoiceGrant>

const invoice = { invoiceId: providerId, companyId: id }
/** A report by the provider. saidAt is the provider's own time of it, which orders the reports about one object. */
const report = { ...invoice, saidAt: isoTime, facts: invoiceFacts }

const withoutPdf: Upcaster = (data) => ({ ...data, facts: { ...(data.facts as object), pdfUrl: null } })
const upcasters = { 1: withoutPdf }
const withoutLot: Upcaster = (data) => ({ ...data, grant: data.grant && { ...data.grant, lot: null } })

export const invoiceEvents = {
  InvoiceFinalized: event(2, z.strictObject(report), { upcasters }),
  InvoicePaid: event(3, z.strictObject({ ...report, grant: invoiceGrant.nullable() }), {
    upcasters: { 1: withoutPdf, 2: withoutLot },
  }),
  InvoicePaymentFailed: event(2, z.strictObject({ ...report, nextAttemptAt: isoTime.nullable() }), { upcasters }),
  InvoiceActionRequired: event(2, z.strictObject(report), { upcasters }),
  InvoiceFinalizationFailed: event(2, z.strictObject({ ...report, reason: z.string() }), { upcasters }),
  /** The invoice will not be paid, and nothing is owed for it. */
  InvoiceVoided: event(1, z.strictObject(report)),
  /** The invoice is written off. It is still owed, and may still be paid or voided. */
  InvoiceMarkedUncollectible: event(1, z.strictObject(report)),
  /** The provider's answer about a second for which its events disagree. */
  InvoiceAnswered: event(3, z.strictObject({ ...report, askedAt }), {
    upcasters: { 1: withoutAskedAt, 2: withoutPdf },
  }),
  /** The provider has a draft of the invoice for a month of a postpaid company. Recorded before it can be paid. */
  UsageInvoiceDrafted: event(
    1,
    z.strictObject({
      ...invoice,
      month,
      creditsMicros: positiveMicros,
      lines: z.array(invoiceLine),
      draftedAt: isoTime,
    }),
  ),
  /** The ledger settlement that follows from the payment of such an invoice. */
  UsageInvoiceSettled: event(
    1,
    z.strictObject({ ...invoice, month, creditsMicros: positiveMicros, settledAt: isoTime }),
  ),
  /** A super admin had the provider record that the invoice was paid outside of it, or that nothing is owed for it. */
  UsageInvoiceEnded: event(
    1,
    z.strictObject({
      ...invoice,
      month,
      outcome: z.enum(['SETTLED', 'VOIDED']),
      reason: z.string(),
      endedBy: id,
      endedAt: isoTime,
    }),
  ),
  InvoiceRefundSeen: event(
    2,
    z.strictObject({ ...invoice, chargedMinor: minorAmount, refundedMinor: minorAmount, saidAt: isoTime, askedAt }),
    { upcasters: { 1: withoutAskedAt } },
  ),
  /** The ledger refund that follows from the refunds seen, with the total taken back so far. */
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
  InvoiceCreditsCorrected: event(1, z.strictObject({ ...invoice, ...correctedCredits })),
  InvoiceDisputeSeen: event(1, z.strictObject({ ...invoice, ...seenDispute })),
  InvoiceCreditsWithdrawn: event(1, z.strictObject({ ...invoice, ...withdrawnCredits })),
  InvoiceCreditsReinstated: event(1, z.strictObject({ ...invoice, ...reinstatedCredits })),
}

export type InvoiceEvent = EventUnion<typeof invoiceEvents>
