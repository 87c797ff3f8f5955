import { z } from 'zod'
import { draftInvoice, finalizeInvoice, payInvoice } from '../billing/invoiceLifecycle.ts'
import { prorationLines } from '../billing/proration.ts'
import { endSubscription, newItem, resumeSubscription } from '../billing/subscriptionLifecycle.ts'
import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { Subscription, SubscriptionItem } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage } from '../wire/listPage.ts'
import {
  changedMetadata,
  flag,
  integer,
  metadata,
  optionalText,
  prorationBehavior,
  readParams,
  text,
} from '../wire/params.ts'
import { invalidParam, invalidState, missingResource } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const change = z.strictObject({
  cancel_at_period_end: flag.optional(),
  metadata: metadata.optional(),
  description: optionalText,
  items: z
    .array(z.strictObject({ id: text.optional(), price: text.optional(), quantity: integer.optional() }))
    .optional(),
  pause_collection: z
    .union([
      z.literal(''),
      z.strictObject({
        behavior: z.enum(['keep_as_draft', 'mark_uncollectible', 'void']),
        resumes_at: integer.optional(),
      }),
    ])
    .optional(),
  /** Parts of a period are billed only with always_invoice, at once; the others are accepted without effect. */
  proration_behavior: prorationBehavior.optional(),
  /** Accepted without effect: the sandbox's cards are not declined here. */
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .optional(),
})
type Change = z.infer<typeof change>

export const subscriptionOperations: readonly PaymentOperation[] = [
  {
    method: 'GET',
    path: '/v1/subscriptions/:id',
    handle: (context, _, id) => requireRecord(context, 'subscription', id),
  },
  { method: 'POST', path: '/v1/subscriptions/:id', handle: updateSubscription },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    handle: (context, form, id) => {
      readParams(z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional() }), form)
      const subscription = requireRecord(context, 'subscription', id)
      if (subscription.status === 'canceled') throw missingResource('subscription', id, 'id', 404)
      return endSubscription(context, subscription)
    },
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id/resume',
    handle: (context, form, id) => {
      const anchor = z.enum(['now', 'unchanged'], 'must be now or unchanged').optional()
      const params = readParams(z.strictObject({ billing_cycle_anchor: anchor }), form)
      return resumeSubscription(
        context,
        requireRecord(context, 'subscription', id),
        params.billing_cycle_anchor ?? 'now',
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    handle: ({ state }, form) =>
      listPage(
        form,
        { customer: text.optional(), price: text.optional(), status: text.optional() },
        '/v1/subscriptions',
        state.all('subscription'),
        (subscription, { customer, price, status }) =>
          (customer === undefined || subscription.customer === customer) &&
          (price === undefined || subscription.items.data.some((item) => item.price.id === price)) &&
          isOfStatus(subscription, status),
      ),
  },
]

/** Without a status filter, all but the canceled ones. */
function isOfStatus({ status }: Subscription, wanted: string | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled'
  return wanted === 'all' || status === (wanted === 'ended' ? 'canceled' : wanted)
}

function updateSubscription(context: ProviderContext, form: Form, id: string): Subscription {
  const { state, now, emit } = context
  const before = requireRecord(context, 'subscription', id)
  const given = readParams(change, form)
  if (before.status === 'canceled') {
    throw invalidState('A canceled subscription can only update its cancellation_details and metadata.')
  }
  const stops = given.cancel_at_period_end
  if (stops !== undefined && before.schedule) {
    throw invalidState(
      `The subscription is managed by the subscription schedule \`${before.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  const after: Subscription = {
    ...before,
    metadata: changedMetadata(before.metadata, given.metadata),
    items: { ...before.items, data: changedItems(context, before, given.items) },
    ...(given.description === undefined ? {} : { description: given.description || null }),
    ...(given.pause_collection === undefined ? {} : { pause_collection: pauseOf(given.pause_collection) }),
    ...(stops === undefined
      ? {}
      : {
          cancel_at_period_end: stops,
          cancel_at: stops ? before.current_period_end : null,
          canceled_at: stops ? (before.canceled_at ?? now()) : null,
          cancellation_details: { comment: null, feedback: null, reason: stops ? 'cancellation_requested' : null },
        }),
  }
  const previous = previousAttributes(before, after)
  if (Object.keys(previous).length === 0) return before
  const lines = given.proration_behavior === 'always_invoice' ? prorationLines(context, before, after) : []
  const { customer, currency } = after
  const draft =
    lines.length > 0 &&
    draftInvoice(context, { customer, currency, subscription: after, reason: 'subscription_update', lines })
  const changed = state.put('subscription', draft ? { ...after, latest_invoice: draft.id } : after)
  emit('customer.subscription.updated', changed, previous)
  if (draft) payInvoice(context, finalizeInvoice(context, draft))
  return state.get('subscription', id) ?? changed
}

function pauseOf(pause: Exclude<Change['pause_collection'], undefined>) {
  return pause === '' ? null : { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null }
}

function changedItems(
  context: ProviderContext,
  before: Subscription,
  changes: Change['items'] = [],
): readonly SubscriptionItem[] {
  const items = [...before.items.data]
  for (const [at, { id, price: priceId, quantity = 1 }] of changes.entries()) {
    const param = `items[${at}][price]`
    const price = priceId === undefined ? undefined : requireReferenced(context, 'price', priceId, param)
    if (price && !price.recurring) {
      throw invalidParam(
        param,
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      )
    }
    const place = items.findIndex((item) => item.id === id)
    const item = items[place]
    if (item) items[place] = { ...item, price: price ?? item.price, quantity }
    else if (id !== undefined) throw missingResource('subscription_item', id, `items[${at}][id]`)
    else if (price) items.push(newItem(context, before.id, price, quantity))
    else throw invalidParam(param, `Missing required param: ${param}.`, 'parameter_missing')
  }
  return items
}
