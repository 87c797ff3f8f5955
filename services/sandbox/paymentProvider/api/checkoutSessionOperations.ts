import { z } from 'zod'
import { DAY_SECONDS } from '../billing/period.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { CheckoutSession, LineItem } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage, wholeList } from '../wire/listPage.ts'
import { address, changedMetadata, flag, integer, metadata, optionalText, readParams, text } from '../wire/params.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const HALF_AN_HOUR_SECONDS = 30 * 60

const quantity = integer.refine((count) => count >= 1 && count <= 999_999, 'must be at least 1')
const creation = z.strictObject({
  mode: z.enum(['payment', 'subscription'], 'must be payment or subscription'),
  line_items: z
    .array(z.strictObject({ price: text, quantity: quantity.optional() }))
    .min(1, 'must not be empty')
    .max(100, 'has more than 100 items'),
  success_url: address.optional(),
  cancel_url: address.optional(),
  client_reference_id: text.max(200).optional(),
  customer: text.optional(),
  customer_email: text.max(512).optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  expires_at: integer.optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: optionalText,
      receipt_email: optionalText,
      setup_future_usage: z.literal('off_session', 'must be off_session').optional(),
    })
    .optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: optionalText,
      trial_period_days: integer.refine((days) => days >= 1 && days <= 730, 'must be between 1 and 730').optional(),
    })
    .optional(),
  invoice_creation: z
    .strictObject({
      enabled: flag,
      invoice_data: z.strictObject({ metadata: metadata.optional(), description: optionalText }).optional(),
    })
    .optional(),
  payment_method_types: z.array(text).optional(),
  locale: text.optional(),
  ui_mode: z.literal('hosted', 'must be hosted').optional(),
  // Accepted without effect: the checkout page does not show them.
  allow_promotion_codes: flag.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay']).optional(),
})
type Creation = z.infer<typeof creation>

export const checkoutSessionOperations: readonly PaymentOperation[] = [
  { method: 'POST', path: '/v1/checkout/sessions', handle: createSession },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    handle: (context, _, id) => currentSession(context, requireRecord(context, 'checkoutSession', id)),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    handle: (context, form) =>
      listPage(
        form,
        {
          customer: text.optional(),
          payment_intent: text.optional(),
          subscription: text.optional(),
          status: z.enum(['open', 'complete', 'expired']).optional(),
        },
        '/v1/checkout/sessions',
        context.state.all('checkoutSession').map((session) => currentSession(context, session)),
        (session, filter) =>
          (['customer', 'payment_intent', 'subscription', 'status'] as const).every(
            (field) => filter[field] === undefined || session[field] === filter[field],
          ),
      ),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    handle: ({ state }, _, id) =>
      wholeList(`/v1/checkout/sessions/${id}/line_items`, state.get('sessionTerms', id)?.lineItems ?? []),
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    handle: (context, _, id) => {
      const session = currentSession(context, requireRecord(context, 'checkoutSession', id))
      if (session.status !== 'open') {
        throw invalidState(
          `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
        )
      }
      return context.state.put('checkoutSession', { ...session, status: 'expired', url: null })
    },
  },
]

/** The session, marked as expired if its time is over. No timer expires sessions: they are checked when they are read. */
export function currentSession({ state, now }: ProviderContext, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open' || now() < session.expires_at) return session
  return state.put('checkoutSession', { ...session, status: 'expired', url: null })
}

function createSession(context: ProviderContext, form: Form): CheckoutSession {
  const { state, now, newId, url } = context
  const given = readParams(creation, form)
  const lineItems = given.line_items.map((item, at) => lineItem(context, item.price, item.quantity ?? 1, at))
  requireModeAllows(given, lineItems)
  if (given.customer !== undefined) requireReferenced(context, 'customer', given.customer, 'customer')
  const expiresAt = given.expires_at ?? now() + DAY_SECONDS
  if (expiresAt < now() + HALF_AN_HOUR_SECONDS || expiresAt > now() + DAY_SECONDS) {
    throw invalidParam('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const id = newId('checkoutSession')
  const trialDays = given.subscription_data?.trial_period_days ?? 0
  const total = lineItems
    .filter(({ price }) => trialDays === 0 || !price.recurring)
    .reduce((sum, { amount_total }) => sum + amount_total, 0)
  const isInvoiced = given.invoice_creation?.enabled ?? false
  state.put('sessionTerms', {
    id,
    lineItems,
    intentMetadata: changedMetadata({}, given.payment_intent_data?.metadata),
    intentDescription: given.payment_intent_data?.description || null,
    subscriptionMetadata: changedMetadata({}, given.subscription_data?.metadata),
    trialDays,
    invoice: isInvoiced
      ? {
          metadata: changedMetadata({}, given.invoice_creation?.invoice_data?.metadata),
          description: given.invoice_creation?.invoice_data?.description || null,
        }
      : null,
    savesMethod: given.payment_intent_data?.setup_future_usage !== undefined,
    createsCustomer: given.mode === 'subscription' || isInvoiced || given.customer_creation === 'always',
  })
  return state.put('checkoutSession', {
    id,
    object: 'checkout.session',
    after_expiration: null,
    allow_promotion_codes: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, status: null },
    billing_address_collection: null,
    cancel_url: given.cancel_url ?? null,
    client_reference_id: given.client_reference_id ?? null,
    consent: null,
    created: now(),
    currency: lineItems[0]?.price.currency ?? 'usd',
    currency_conversion: null,
    custom_fields: [],
    customer: given.customer ?? null,
    customer_creation: given.customer !== undefined ? null : (given.customer_creation ?? 'if_required'),
    customer_details: null,
    customer_email: given.customer_email ?? null,
    expires_at: expiresAt,
    invoice: null,
    invoice_creation: given.mode === 'payment' ? { enabled: isInvoiced } : null,
    livemode: false,
    locale: given.locale ?? null,
    metadata: changedMetadata({}, given.metadata),
    mode: given.mode,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: given.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_types: given.payment_method_types ?? ['card'],
    payment_status: 'unpaid',
    recovered_from: null,
    setup_intent: null,
    shipping_cost: null,
    status: 'open',
    submit_type: null,
    subscription: null,
    // The placeholder that clients put into the URL for the id of the session.
    success_url: given.success_url?.replaceAll('{CHECKOUT_SESSION_ID}', id) ?? null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted',
    url: `${url()}/checkout/${id}`,
  })
}

function lineItem(context: ProviderContext, priceId: string, quantity: number, at: number): LineItem {
  const param = `line_items[${at}][price]`
  const price = requireReferenced(context, 'price', priceId, param)
  if (!price.active) {
    throw invalidParam(
      param,
      `The price specified is inactive. This field only accepts active prices.`,
      'price_inactive',
    )
  }
  const total = price.unit_amount * quantity
  return {
    id: context.newId('lineItem'),
    object: 'item',
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: context.state.get('product', price.product)?.name ?? price.product,
    price,
    quantity,
  }
}

/** Checks the prices and parameters that a mode allows. */
function requireModeAllows(given: Creation, lineItems: readonly LineItem[]): void {
  const recurs = lineItems.some(({ price }) => price.recurring)
  if (given.mode === 'payment' && recurs) {
    throw invalidParam(
      'mode',
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    )
  }
  if (given.mode === 'subscription' && !recurs) {
    throw invalidParam(
      'mode',
      'You must provide at least one recurring price in `subscription` mode when using prices.',
    )
  }
  if (new Set(lineItems.map(({ price }) => price.currency)).size > 1) {
    throw invalidParam('line_items', 'All line items must have the same currency.')
  }
  if (given.customer !== undefined && given.customer_email !== undefined) {
    throw invalidParam('customer_email', 'You may only specify one of these parameters: customer, customer_email.')
  }
  const foreign =
    given.mode === 'payment' ? (['subscription_data'] as const) : (['payment_intent_data', 'invoice_creation'] as const)
  for (const field of foreign) {
    if (given[field] !== undefined)
      throw invalidParam(field, `You can not pass \`${field}\` in \`${given.mode}\` mode.`)
  }
}
