import type { Metadata } from '../wire/params.ts'

/** An object in its wire format. The type names the fields that the sandbox reads; the others are passed through. */
export type Wire = {
  readonly id: string
  readonly object: string
  readonly created: number
  readonly [field: string]: unknown
}

export type WireList<Item = Wire> = {
  readonly object: 'list'
  readonly data: readonly Item[]
  readonly has_more: boolean
  readonly url: string
}

export type Product = Wire & { readonly name: string; readonly active: boolean; readonly metadata: Metadata }

export type Recurring = {
  readonly interval: 'day' | 'week' | 'month' | 'year'
  readonly interval_count: number
}

export type Price = Wire & {
  readonly active: boolean
  readonly currency: string
  readonly unit_amount: number
  readonly product: string
  readonly type: 'one_time' | 'recurring'
  readonly recurring: (Recurring & { readonly [field: string]: unknown }) | null
  readonly lookup_key: string | null
  readonly metadata: Metadata
}

export type Customer = Wire & {
  readonly email: string | null
  readonly name: string | null
  readonly metadata: Metadata
}

export type LineItem = {
  readonly id: string
  readonly object: 'item'
  readonly price: Price
  readonly quantity: number
  readonly amount_total: number
  readonly description: string
  readonly [field: string]: unknown
}

export type CheckoutSession = Wire & {
  readonly mode: 'payment' | 'subscription'
  readonly status: 'open' | 'complete' | 'expired'
  readonly payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  readonly amount_total: number
  readonly currency: string
  readonly customer: string | null
  readonly customer_email: string | null
  readonly payment_intent: string | null
  readonly subscription: string | null
  readonly success_url: string | null
  readonly cancel_url: string | null
  readonly expires_at: number
  readonly metadata: Metadata
}

/** Parameters of a session that are not part of its wire format. */
export type SessionTerms = {
  readonly id: string
  readonly lineItems: readonly LineItem[]
  readonly intentMetadata: Metadata
  readonly intentDescription: string | null
  readonly subscriptionMetadata: Metadata
  readonly trialDays: number
  /** null if a one-time payment gets no invoice. */
  readonly invoice: { readonly metadata: Metadata; readonly description: string | null } | null
  readonly createsCustomer: boolean
  /** The buyer agrees that their card is charged later without them. Missing in records of earlier versions. */
  readonly savesMethod?: boolean
}

export type SubscriptionItem = {
  readonly id: string
  readonly price: Price
  readonly quantity: number
  readonly [field: string]: unknown
}

export type SubscriptionStatus = 'incomplete' | 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled'

export type Subscription = Wire & {
  readonly status: SubscriptionStatus
  readonly customer: string
  readonly currency: string
  readonly current_period_start: number
  readonly current_period_end: number
  readonly cancel_at_period_end: boolean
  readonly canceled_at: number | null
  readonly trial_end: number | null
  readonly latest_invoice: string | null
  /** The schedule that will change its items. */
  readonly schedule: string | null
  readonly items: WireList<SubscriptionItem>
  readonly metadata: Metadata
}

export type SchedulePhase = {
  readonly start_date: number
  readonly end_date: number
  readonly items: readonly { readonly price: string; readonly quantity: number }[]
  readonly [field: string]: unknown
}

export type SubscriptionSchedule = Wire & {
  readonly status: 'active' | 'released' | 'canceled'
  readonly subscription: string | null
  readonly customer: string
  readonly phases: readonly SchedulePhase[]
  readonly current_phase: { readonly start_date: number; readonly end_date: number } | null
}

export type InvoiceLine = {
  readonly id: string
  readonly object: 'line_item'
  readonly amount: number
  readonly description: string
  readonly [field: string]: unknown
}

export type Invoice = Wire & {
  readonly status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'
  readonly customer: string
  readonly subscription: string | null
  readonly currency: string
  readonly total: number
  readonly amount_due: number
  readonly amount_paid: number
  readonly attempt_count: number
  readonly due_date: number | null
  readonly collection_method: 'charge_automatically' | 'send_invoice'
  readonly payment_intent: string | null
  readonly charge: string | null
  readonly lines: WireList<InvoiceLine>
  readonly status_transitions: { readonly [field: string]: number | null }
  readonly metadata: Metadata
}

export type InvoiceItem = Wire & {
  readonly customer: string
  readonly invoice: string | null
  readonly amount: number
  readonly currency: string
  readonly description: string
  readonly metadata: Metadata
}

export type PaymentIntent = Wire & {
  readonly status: 'succeeded' | 'requires_payment_method' | 'requires_action' | 'canceled'
  readonly amount: number
  readonly currency: string
  readonly customer: string | null
  readonly latest_charge: string | null
  readonly invoice: string | null
  readonly description: string | null
  readonly payment_method: string | null
  readonly metadata: Metadata
}

/** A card that its holder let the shop save for payments without them. */
export type PaymentMethod = Wire & {
  /** null once it was detached. */
  readonly customer: string | null
  readonly type: 'card'
  /** What the bank does with payments by it. The real provider has no such field. */
  readonly sandbox_outcome: 'pay' | 'decline' | 'confirm'
}

export type Charge = Wire & {
  readonly status: 'succeeded'
  readonly amount: number
  readonly amount_refunded: number
  readonly refunded: boolean
  readonly currency: string
  readonly customer: string | null
  readonly payment_intent: string
  readonly invoice: string | null
  readonly description: string | null
  readonly metadata: Metadata
}

export type Refund = Wire & {
  readonly charge: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
}

export const DISPUTE_STATUSES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
] as const

export type Dispute = Wire & {
  readonly status: (typeof DISPUTE_STATUSES)[number]
  readonly charge: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  readonly evidence_details: { readonly due_by: number | null; readonly [field: string]: unknown }
}

export type ProviderEvent = Wire & {
  readonly type: string
  readonly data: { readonly object: object; readonly previous_attributes?: object }
}

/** The delivery of an event to the backend, with the id of the event. */
export type Delivery = {
  readonly id: string
  readonly status: 'pending' | 'delivered' | 'given up'
  readonly attempts: number
  readonly nextAttemptMs: number
  /** The result of the last attempt. */
  readonly outcome: string | null
}

/** The answer to a request with an idempotency key, which is its id. */
export type Replay = {
  readonly id: string
  readonly fingerprint: string
  readonly status: number
  readonly body: object
  readonly atMs: number
}

export type Records = {
  product: Product
  price: Price
  customer: Customer
  checkoutSession: CheckoutSession
  sessionTerms: SessionTerms
  subscription: Subscription
  subscriptionSchedule: SubscriptionSchedule
  invoice: Invoice
  invoiceItem: InvoiceItem
  paymentIntent: PaymentIntent
  paymentMethod: PaymentMethod
  charge: Charge
  refund: Refund
  dispute: Dispute
  event: ProviderEvent
  delivery: Delivery
  replay: Replay
}

export type Kind = keyof Records

/** A record that replaces the one with its id. */
export type Put = { readonly [K in Kind]: readonly [kind: K, record: Records[K]] }[Kind]

export const KINDS = [
  'product',
  'price',
  'customer',
  'checkoutSession',
  'sessionTerms',
  'subscription',
  'subscriptionSchedule',
  'invoice',
  'invoiceItem',
  'paymentIntent',
  'paymentMethod',
  'charge',
  'refund',
  'dispute',
  'event',
  'delivery',
  'replay',
] as const satisfies readonly Kind[]
