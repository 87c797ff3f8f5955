import { z } from 'zod'
import type { InvoiceFacts, InvoiceStatus } from '../../contracts/events/invoice.ts'
import { providerId } from '../../contracts/events/payment.ts'
import type { SubscriptionFacts, SubscriptionStatus } from '../../contracts/events/subscription.ts'
import { isUuid } from '../../contracts/uuid.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { planIdOfProduct } from './offers.ts'

/** The API version of the SDK, the webhook endpoint and this program, which change together. */
export const API_VERSION = '2023-10-16'

/** The fields that we read from the provider's objects, which have many more and get new ones at any time. */
/** Up to the end of the year 9999, the latest that our times can represent. */
export const seconds = z.int().nonnegative().max(253_402_300_799)
const metadata = z.record(z.string(), z.string()).nullish()
/** The id of a referenced object, even if the object itself is embedded. */
export const reference = z
  .union([z.string(), z.object({ id: z.string() })])
  .nullish()
  .transform((value) => (typeof value === 'object' ? (value?.id ?? null) : (value ?? null)))
const price = z.object({ id: z.string().nullish(), product: reference, unit_amount: z.int().nullish() }).nullish()

export const subscriptionObject = z.object({
  id: z.string(),
  status: z.enum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
  ]),
  customer: reference,
  metadata,
  items: z.object({ data: z.array(z.object({ id: z.string().nullish(), price })) }).nullish(),
  created: seconds.nullish(),
  latest_invoice: reference,
  schedule: reference,
  start_date: seconds.nullish(),
  ended_at: seconds.nullish(),
  canceled_at: seconds.nullish(),
  trial_end: seconds.nullish(),
  current_period_start: seconds.nullish(),
  current_period_end: seconds.nullish(),
  cancel_at_period_end: z.boolean().default(false),
})
export type SubscriptionObject = z.infer<typeof subscriptionObject>

const invoiceLine = z.object({
  amount: z.int(),
  quantity: z.int().nullish(),
  price,
  /** The line is for a part of a period, after a change of plan. */
  proration: z.boolean().nullish(),
  period: z.object({ start: seconds, end: seconds }).nullish(),
})
export const invoiceObject = z.object({
  /** An upcoming invoice has no id. */
  id: z.string().nullish(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).nullish(),
  customer: reference,
  subscription: reference,
  metadata,
  subscription_details: z.object({ metadata }).nullish(),
  lines: z.object({ data: z.array(invoiceLine) }).nullish(),
  total: z.int(),
  amount_due: z.int().default(0),
  currency: z.string(),
  created: seconds,
  due_date: seconds.nullish(),
  period_end: seconds.nullish(),
  next_payment_attempt: seconds.nullish(),
  status_transitions: z.object({ paid_at: seconds.nullish(), finalized_at: seconds.nullish() }).nullish(),
  hosted_invoice_url: z.string().nullish(),
  invoice_pdf: z.string().nullish(),
  attempted: z.boolean().default(false),
  last_finalization_error: z.object({ message: z.string().nullish() }).nullish(),
  payment_intent: z.union([z.string(), z.object({ status: z.string() })]).nullish(),
})
export type InvoiceObject = z.infer<typeof invoiceObject>

export const sessionObject = z.object({
  id: z.string(),
  mode: z.string(),
  payment_status: z.string(),
  customer: reference,
  subscription: reference,
  invoice: reference,
  payment_intent: reference,
  metadata,
  /** Missing in events of the tests. */
  status: z.string().nullish(),
  amount_total: z.int().nonnegative().nullish(),
  currency: z.string().nullish(),
})
export type SessionObject = z.infer<typeof sessionObject>

/** A session as the provider returns it, with the payment that was attempted on it. */
export const retrievedSession = sessionObject.extend({
  status: z.enum(['open', 'complete', 'expired']),
  payment_intent: z
    .object({
      id: z.string(),
      status: z.string(),
      last_payment_error: z.object({ message: z.string().nullish() }).nullish(),
    })
    .nullish(),
})
export type RetrievedSession = z.infer<typeof retrievedSession>

export const chargeObject = z.object({
  id: z.string(),
  amount: z.int().nonnegative(),
  /** Missing in events of the tests. */
  currency: z.string().nullish(),
  amount_refunded: z.int().nonnegative(),
  customer: reference,
  invoice: reference,
  metadata,
})
export type ChargeObject = z.infer<typeof chargeObject>

export const refundObject = z.object({ id: z.string(), charge: reference })
/** The charge is an id if the provider no longer keeps it in full. */
export const refundWithCharge = z.object({ id: z.string(), charge: z.union([z.string(), chargeObject]).nullish() })
export type RefundWithCharge = z.infer<typeof refundWithCharge>

export const paymentEventBody = z.object({
  /** Names the stream of the event. */
  id: providerId,
  type: z.string(),
  created: seconds,
  api_version: z.string().nullish(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
export type PaymentEventBody = z.infer<typeof paymentEventBody>

export const timeOf = (unixSeconds: number) => isoTime(unixSeconds * 1_000)
export const timeOrNull = (unixSeconds: number | null | undefined) => (unixSeconds ? timeOf(unixSeconds) : null)

const SUBSCRIPTION_STATUS: Readonly<Record<SubscriptionObject['status'], SubscriptionStatus>> = {
  incomplete: 'INCOMPLETE',
  incomplete_expired: 'CANCELED',
  trialing: 'TRIALING',
  active: 'ACTIVE',
  past_due: 'PAST_DUE',
  canceled: 'CANCELED',
  unpaid: 'UNPAID',
  paused: 'PAUSED',
}

export function subscriptionFactsOf(object: SubscriptionObject): SubscriptionFacts {
  const status = SUBSCRIPTION_STATUS[object.status]
  return {
    status,
    planId: planOf(object),
    startedAt: timeOrNull(object.start_date),
    endedAt: timeOrNull(object.ended_at ?? (status === 'CANCELED' ? object.canceled_at : null)),
    trialEndAt: timeOrNull(object.trial_end),
    periodEndAt: timeOrNull(object.current_period_end),
    cancelAtPeriodEnd: object.cancel_at_period_end,
  }
}

/** One of our ids from the provider's metadata; null if it is not a UUID. */
export function ownId(text: string | null | undefined): string | null {
  return text && isUuid(text) ? text : null
}

/** The plan of the billed price. A change of plan changes the price, but not the metadata of the subscription. */
function planOf({ items, metadata }: SubscriptionObject): string | null {
  const product = items?.data[0]?.price?.product
  return (product && planIdOfProduct(product)) || ownId(metadata?.planId)
}

/** The facts of an invoice. For an open or draft one, the status that the event reports takes precedence. */
export function invoiceFactsOf(object: InvoiceObject & { id: string }, reported: InvoiceStatus | null): InvoiceFacts {
  const status =
    object.status === 'open' || object.status === 'draft' ? (reported ?? statusOf(object)) : statusOf(object)
  return {
    status,
    providerInvoiceId: object.id,
    subscriptionId: object.subscription,
    amountMinor: String(Math.max(0, object.total)),
    currency: object.currency,
    issuedAt: timeOf(object.created),
    dueAt: timeOrNull(object.due_date),
    paidAt: timeOrNull(object.status_transitions?.paid_at),
    payUrl: object.hosted_invoice_url ?? null,
    pdfUrl: object.invoice_pdf ?? null,
  }
}

function statusOf({ status, attempted, payment_intent, last_finalization_error }: InvoiceObject): InvoiceStatus {
  switch (status) {
    case 'paid':
      return 'PAID'
    case 'void':
      return 'VOID'
    case 'uncollectible':
      return 'UNCOLLECTIBLE'
    case 'open':
      if (typeof payment_intent === 'object' && payment_intent?.status === 'requires_action') return 'ACTION_REQUIRED'
      return attempted ? 'PAYMENT_FAILED' : 'OPEN'
    default:
      return last_finalization_error ? 'FINALIZATION_FAILED' : 'DRAFT'
  }
}
