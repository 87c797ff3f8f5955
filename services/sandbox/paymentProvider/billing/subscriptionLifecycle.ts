import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import type { Invoice, LineItem, Price, Subscription, SubscriptionItem } from '../state/records.ts'
import { wholeList } from '../wire/listPage.ts'
import type { Metadata } from '../wire/params.ts'
import { invalidState } from '../wire/paymentApiError.ts'
import {
  askForAction,
  draftInvoice,
  failFinalization,
  failPayment,
  finalizeInvoice,
  type LineFacts,
  payInvoice,
  withLines,
} from './invoiceLifecycle.ts'
import { DAY_SECONDS, periodEnd } from './period.ts'
import { advanceSchedule, closeSchedule, nextItems } from './schedule.ts'

export type SubscriptionFacts = {
  readonly customer: string
  readonly currency: string
  readonly lineItems: readonly LineItem[]
  readonly metadata: Metadata
  readonly trialDays: number
}

/** Creates a subscription with its first invoice, which is paid. In a trial, that invoice is over 0. */
export function startSubscription(
  context: ProviderContext,
  facts: SubscriptionFacts,
): { subscription: Subscription; invoice: Invoice } {
  const { state, now, newId, emit } = context
  const { trialDays, currency, customer } = facts
  const id = newId('subscription')
  const start = now()
  const recurring = facts.lineItems.filter(({ price }) => price.recurring)
  const trialEnd = trialDays > 0 ? start + trialDays * DAY_SECONDS : null
  const end = trialEnd ?? periodEnd(start, recurrenceOf(recurring[0]?.price))
  const begun = state.put('subscription', {
    id,
    object: 'subscription',
    application: null,
    automatic_tax: { enabled: false, liability: null },
    billing_cycle_anchor: end,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: 'charge_automatically',
    created: start,
    currency,
    current_period_end: end,
    current_period_start: start,
    customer,
    days_until_due: null,
    default_payment_method: null,
    description: null,
    discount: null,
    ended_at: null,
    items: wholeList(
      `/v1/subscription_items?subscription=${id}`,
      recurring.map(({ price, quantity }) => newItem(context, id, price, quantity)),
    ),
    latest_invoice: null,
    livemode: false,
    metadata: facts.metadata,
    pause_collection: null,
    schedule: null,
    start_date: start,
    // As at the real provider, the subscription is incomplete until the first invoice is paid.
    status: trialEnd === null ? 'incomplete' : 'trialing',
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
    trial_start: trialEnd === null ? null : start,
  })
  const once = facts.lineItems
    .filter(({ price }) => !price.recurring)
    .map((item) => ({ ...lineOf(item, start, start), amount: item.amount_total, description: item.description }))
  const draft = draftInvoice(context, {
    customer,
    currency,
    subscription: begun,
    reason: 'subscription_create',
    lines: [...periodLines(context, begun, trialEnd !== null), ...once],
  })
  const created = state.put('subscription', { ...begun, latest_invoice: draft.id })
  emit('customer.subscription.created', created)
  const invoice = payInvoice(context, finalizeInvoice(context, draft))
  return { subscription: state.get('subscription', id) ?? created, invoice }
}

export const RENEWALS = ['pay', 'decline', 'action_required', 'finalization_failed'] as const
export type Renewal = (typeof RENEWALS)[number]

/** Ends the period: starts and bills the next one, or ends the subscription if it was to be canceled. */
export function renew(context: ProviderContext, before: Subscription, outcome: Renewal): Subscription {
  const { state, emit } = context
  requireNotCanceled(before)
  if (before.status === 'paused') throw invalidState(`${before.id} is paused: resume it first`)
  if (before.cancel_at_period_end) return endSubscription(context, before)
  announceRenewal(context, before)
  const start = before.current_period_end
  const items = { ...before.items, data: nextItems(context, before) }
  const next = {
    ...before,
    items,
    schedule: advanceSchedule(context, before),
    current_period_start: start,
    current_period_end: periodEnd(start, recurrenceOf(items.data[0]?.price)),
    status: before.status === 'trialing' ? ('active' as const) : before.status,
  }
  const draft = draftInvoice(context, {
    customer: next.customer,
    currency: next.currency,
    subscription: next,
    reason: 'subscription_cycle',
    lines: periodLines(context, next, false),
  })
  const renewed = state.put('subscription', { ...next, latest_invoice: draft.id })
  emit('customer.subscription.updated', renewed, previousAttributes(before, renewed))
  collect(context, draft, outcome)
  return state.get('subscription', before.id) ?? renewed
}

function collect(context: ProviderContext, draft: Invoice, outcome: Renewal): Invoice {
  if (outcome === 'finalization_failed') return failFinalization(context, draft)
  const open = finalizeInvoice(context, draft)
  if (outcome === 'decline') return failPayment(context, open)
  return outcome === 'pay' ? payInvoice(context, open) : askForAction(context, open)
}

/** Emits `invoice.upcoming`. As at the real provider, the upcoming invoice has no id. */
export function announceRenewal(context: ProviderContext, subscription: Subscription): void {
  requireNotCanceled(subscription)
  const start = subscription.current_period_end
  const items = { ...subscription.items, data: nextItems(context, subscription) }
  const next = {
    ...subscription,
    items,
    current_period_start: start,
    current_period_end: periodEnd(start, recurrenceOf(items.data[0]?.price)),
  }
  const customer = context.state.get('customer', subscription.customer)
  context.emit('invoice.upcoming', {
    object: 'invoice',
    billing_reason: 'upcoming',
    collection_method: 'charge_automatically',
    created: start,
    currency: subscription.currency,
    customer: subscription.customer,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    due_date: null,
    livemode: false,
    metadata: {},
    next_payment_attempt: start,
    paid: false,
    period_end: start,
    period_start: subscription.current_period_start,
    status: 'draft',
    subscription: subscription.id,
    subscription_details: { metadata: subscription.metadata },
    ...withLines(context, 'upcoming', subscription.currency, periodLines(context, next, false), subscription),
  })
}

/** Moves the end of the trial to three days from now, when the provider announces it. */
export function warnOfTrialEnd({ state, now, emit }: ProviderContext, before: Subscription): Subscription {
  if (before.status !== 'trialing') throw invalidState(`${before.id} is ${before.status}, not in a trial`)
  const trialEnd = now() + 3 * DAY_SECONDS
  const soon = state.put('subscription', {
    ...before,
    trial_end: trialEnd,
    current_period_end: trialEnd,
    billing_cycle_anchor: trialEnd,
  })
  emit('customer.subscription.trial_will_end', soon)
  return soon
}

export function pauseSubscription({ state, emit }: ProviderContext, before: Subscription): Subscription {
  if (before.status !== 'active' && before.status !== 'trialing') {
    throw invalidState(`${before.id} is ${before.status} and cannot be paused`)
  }
  const paused = state.put('subscription', { ...before, status: 'paused' })
  emit('customer.subscription.paused', paused)
  emit('customer.subscription.updated', paused, previousAttributes(before, paused))
  return paused
}

/** `now` starts a new period, which is billed; `unchanged` continues the old one. */
export function resumeSubscription(
  context: ProviderContext,
  before: Subscription,
  anchor: 'now' | 'unchanged',
): Subscription {
  const { state, now, emit } = context
  if (before.status !== 'paused')
    throw invalidState(`${before.id} is ${before.status}: only a paused one can be resumed`)
  const start = now()
  const period = {
    current_period_start: start,
    current_period_end: periodEnd(start, recurrenceOf(before.items.data[0]?.price)),
    billing_cycle_anchor: start,
  }
  const resumed = { ...before, status: 'active' as const, ...(anchor === 'now' ? period : {}) }
  const draft =
    anchor === 'now'
      ? draftInvoice(context, {
          customer: resumed.customer,
          currency: resumed.currency,
          subscription: resumed,
          reason: 'subscription_cycle',
          lines: periodLines(context, resumed, false),
        })
      : null
  const after = state.put('subscription', { ...resumed, latest_invoice: draft?.id ?? before.latest_invoice })
  emit('customer.subscription.resumed', after)
  emit('customer.subscription.updated', after, previousAttributes(before, after))
  if (draft) payInvoice(context, finalizeInvoice(context, draft))
  return after
}

export function endSubscription(context: ProviderContext, before: Subscription): Subscription {
  const { state, now, emit } = context
  requireNotCanceled(before)
  closeSchedule(context, before, 'canceled')
  const ended = state.put('subscription', {
    ...before,
    schedule: null,
    status: 'canceled',
    canceled_at: before.canceled_at ?? now(),
    ended_at: now(),
    cancellation_details: { comment: null, feedback: null, reason: 'cancellation_requested' },
  })
  emit('customer.subscription.deleted', ended)
  return ended
}

export function newItem(
  { now, newId }: ProviderContext,
  subscription: string,
  price: Price,
  quantity: number,
): SubscriptionItem {
  return {
    id: newId('subscriptionItem'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: now(),
    metadata: {},
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

function periodLines({ state }: ProviderContext, subscription: Subscription, isTrial: boolean): LineFacts[] {
  const { current_period_start: start, current_period_end: end } = subscription
  return subscription.items.data.map((item) => {
    const name = state.get('product', item.price.product)?.name ?? item.price.product
    return {
      ...lineOf(item, start, end),
      amount: isTrial ? 0 : item.price.unit_amount * item.quantity,
      description: isTrial ? `Trial period for ${name}` : `${item.quantity} × ${name}`,
    }
  })
}

function lineOf({ price, quantity }: { readonly price: Price; readonly quantity: number }, start: number, end: number) {
  return { price, quantity, start, end }
}

function recurrenceOf(price: Price | undefined) {
  if (!price?.recurring) throw new Error(`the price ${price?.id} of a subscription is not recurring`)
  return price.recurring
}

function requireNotCanceled({ id, status }: Subscription): void {
  if (status === 'canceled') throw invalidState(`${id} is canceled`)
}
