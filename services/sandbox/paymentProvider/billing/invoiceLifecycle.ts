import type { PaymentEventType } from '../../../../contracts/events/paymentEvent.ts'
import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord } from '../state/recordLookup.ts'
import type { Invoice, InvoiceLine, Price, Subscription } from '../state/records.ts'
import { wholeList } from '../wire/listPage.ts'
import type { Metadata } from '../wire/params.ts'
import { invalidState } from '../wire/paymentApiError.ts'
import { DAY_SECONDS } from './period.ts'
import { openIntent, takePayment } from './takePayment.ts'

const RETRY_SECONDS = 3 * DAY_SECONDS

export type LineFacts = {
  readonly amount: number
  readonly description: string
  readonly price: Price | null
  readonly quantity: number
  readonly start: number
  readonly end: number
  /** The line is for a part of a period. */
  readonly isProration?: boolean
  /** Of the invoice item that the line is made from. */
  readonly metadata?: Metadata
}

export type InvoiceFacts = {
  readonly customer: string
  readonly currency: string
  readonly subscription: Subscription | null
  readonly reason: 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  readonly lines: readonly LineFacts[]
  readonly metadata?: Metadata
  readonly description?: string | null
  readonly dueDate?: number | null
  readonly collection?: Invoice['collection_method']
}

/** An invoice that the customer has not yet been asked to pay. */
export function draftInvoice(context: ProviderContext, facts: InvoiceFacts): Invoice {
  const { state, now, newId } = context
  const { subscription, currency, collection = 'charge_automatically' } = facts
  const customer = state.get('customer', facts.customer)
  const id = newId('invoice')
  return state.put('invoice', {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Tollgate sandbox',
    application: null,
    attempted: false,
    attempt_count: 0,
    auto_advance: collection === 'charge_automatically',
    billing_reason: facts.reason,
    charge: null,
    collection_method: collection,
    created: now(),
    currency,
    customer: facts.customer,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    default_payment_method: null,
    description: facts.description ?? null,
    discount: null,
    due_date: facts.dueDate ?? null,
    effective_at: null,
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    last_finalization_error: null,
    livemode: false,
    metadata: facts.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    paid: false,
    paid_out_of_band: false,
    payment_intent: null,
    period_end: subscription?.current_period_end ?? now(),
    period_start: subscription?.current_period_start ?? now(),
    starting_balance: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subscription: subscription?.id ?? null,
    subscription_details: { metadata: subscription?.metadata ?? null },
    tax: null,
    ...withLines(context, id, currency, facts.lines, subscription),
  })
}

/** The fields of an invoice that follow from its lines. */
export function withLines(
  { newId }: ProviderContext,
  invoiceId: string,
  currency: string,
  facts: readonly LineFacts[],
  subscription: Subscription | null,
) {
  const lines: InvoiceLine[] = facts.map(
    ({ amount, description, price, quantity, start, end, isProration = false, metadata }) => ({
      id: newId('invoiceLine'),
      object: 'line_item',
      amount,
      amount_excluding_tax: amount,
      currency,
      description,
      discountable: true,
      invoice: invoiceId,
      livemode: false,
      metadata: metadata ?? subscription?.metadata ?? {},
      period: { start, end },
      price,
      proration: isProration,
      quantity,
      subscription: subscription?.id ?? null,
      type: subscription ? 'subscription' : 'invoiceitem',
    }),
  )
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return {
    lines: wholeList(`/v1/invoices/${invoiceId}/lines`, lines),
    // What is negative is credited to the customer, not paid.
    amount_due: Math.max(0, total),
    amount_paid: 0,
    amount_remaining: Math.max(0, total),
    subtotal: total,
    total,
  }
}

/** Opens a draft for payment: it gets a number and a page where it can be paid. */
export function finalizeInvoice({ state, now, url, emit }: ProviderContext, invoice: Invoice): Invoice {
  const page = `${url()}/invoices/${invoice.id}`
  const open = state.put('invoice', {
    ...invoice,
    status: 'open',
    number: `SANDBOX-${invoice.id.slice(-8).toUpperCase()}`,
    effective_at: now(),
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    last_finalization_error: null,
    status_transitions: { ...invoice.status_transitions, finalized_at: now() },
  })
  emit('invoice.finalized', open)
  return open
}

/** Fails as a real invoice does, for example because of an invalid tax address. */
export function failFinalization({ state, emit }: ProviderContext, invoice: Invoice): Invoice {
  const failed = state.put('invoice', {
    ...invoice,
    last_finalization_error: {
      type: 'invalid_request_error',
      code: 'customer_tax_location_invalid',
      message: 'The sandbox was asked to fail the finalization of this invoice.',
    },
  })
  emit('invoice.finalization_failed', failed)
  return failed
}

/** The unpaid invoice with this id. A draft whose finalization failed is finalized first. */
export function payableInvoice(context: ProviderContext, id: string): Invoice {
  const invoice = requireRecord(context, 'invoice', id)
  if (invoice.status === 'paid' || invoice.status === 'void') throw invalidState(`${id} is ${invoice.status} already`)
  return invoice.status === 'draft' ? finalizeInvoice(context, invoice) : invoice
}

/** Nothing is owed for it any more. */
export function voidInvoice(context: ProviderContext, invoice: Invoice): Invoice {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalidState(`You can only void an open invoice; ${invoice.id} is ${invoice.status}.`)
  }
  return ended(context, invoice, 'void', 'voided_at', 'invoice.voided')
}

/** It is written off; it may still be paid or voided. */
export function markUncollectible(context: ProviderContext, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') {
    throw invalidState(`You can only mark an open invoice as uncollectible; ${invoice.id} is ${invoice.status}.`)
  }
  return ended(context, invoice, 'uncollectible', 'marked_uncollectible_at', 'invoice.marked_uncollectible')
}

function ended(
  { state, now, emit }: ProviderContext,
  invoice: Invoice,
  status: 'void' | 'uncollectible',
  transition: string,
  type: PaymentEventType,
): Invoice {
  const status_transitions = { ...invoice.status_transitions, [transition]: now() }
  const after = state.put('invoice', { ...invoice, status, next_payment_attempt: null, status_transitions })
  emit(type, after, previousAttributes(invoice, after))
  return after
}

/** How an invoice is paid: by card, outside of the provider, or by a payment that was already taken. */
export type PaidBy = 'card' | 'out of band' | { readonly intent: string; readonly charge: string }

/** Marks an invoice as paid, with a charge unless it is over 0. A subscription that waited for it becomes active. */
export function payInvoice(context: ProviderContext, invoice: Invoice, by: PaidBy = 'card'): Invoice {
  const { state, now, emit } = context
  const payment = by === 'card' ? chargeFor(context, invoice) : by === 'out of band' ? null : by
  const paid = state.put('invoice', {
    ...invoice,
    status: 'paid',
    paid: true,
    paid_out_of_band: by === 'out of band',
    attempted: true,
    attempt_count: invoice.attempt_count + (payment ? 1 : 0),
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    charge: payment?.charge ?? null,
    payment_intent: payment?.intent ?? invoice.payment_intent,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now() },
  })
  emit('invoice.paid', paid)
  moveSubscription(context, paid, ['past_due', 'incomplete'], 'active')
  return paid
}

function chargeFor(context: ProviderContext, invoice: Invoice): { intent: string; charge: string } | null {
  if (invoice.amount_due === 0) return null
  const { intent, charge } = takePayment(context, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    email: context.state.get('customer', invoice.customer)?.email ?? null,
    description: invoice.lines.data[0]?.description ?? null,
    invoice: invoice.id,
    metadata: {},
  })
  return { intent: intent.id, charge: charge.id }
}

/** Records that the card was declined. */
export function failPayment(context: ProviderContext, invoice: Invoice): Invoice {
  const { state, now, emit } = context
  const failed = state.put('invoice', {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    payment_intent: openIntent(context, invoice, 'requires_payment_method').id,
    next_payment_attempt: invoice.subscription === null ? null : now() + RETRY_SECONDS,
  })
  emit('invoice.payment_failed', failed)
  moveSubscription(context, failed, ['active', 'trialing'], 'past_due')
  return failed
}

/** Records that the bank requires the cardholder to confirm. */
export function askForAction(context: ProviderContext, invoice: Invoice): Invoice {
  const waiting = context.state.put('invoice', {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + 1,
    payment_intent: openIntent(context, invoice, 'requires_action').id,
  })
  context.emit('invoice.payment_action_required', waiting)
  moveSubscription(context, waiting, ['active', 'trialing'], 'past_due')
  return waiting
}

function moveSubscription(
  { state, emit }: ProviderContext,
  { subscription: id }: Invoice,
  from: readonly Subscription['status'][],
  to: Subscription['status'],
): void {
  const before = id === null ? undefined : state.get('subscription', id)
  if (!before || !from.includes(before.status)) return
  const after = state.put('subscription', { ...before, status: to })
  emit('customer.subscription.updated', after, previousAttributes(before, after))
}
