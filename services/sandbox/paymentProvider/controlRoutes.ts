import { z } from 'zod'
import {
  OTHER_PAYMENT_EVENT_TYPES,
  PAYMENT_EVENT_TYPES,
  type PaymentEventType,
} from '../../../contracts/events/paymentEvent.ts'
import { bytesBody } from '../../../platform/http/body/bodyReaders.ts'
import { anyQuery, type Route, route } from '../../../platform/http/route.ts'
import { prefersHtml } from '../pages/ownPage.ts'
import { redirect } from '../pages/page.ts'
import { createCustomer } from './billing/createCustomer.ts'
import { closeDispute, DISPUTE_OUTCOMES, DISPUTE_REASONS, openDispute, reviewDispute } from './billing/disputeCharge.ts'
import {
  draftInvoice,
  failPayment,
  finalizeInvoice,
  markUncollectible,
  payableInvoice,
  payInvoice,
  voidInvoice,
} from './billing/invoiceLifecycle.ts'
import { DAY_SECONDS } from './billing/period.ts'
import { failRefund, refundCharge } from './billing/refundCharge.ts'
import { METHOD_OUTCOMES } from './billing/savedMethods.ts'
import {
  announceRenewal,
  endSubscription,
  pauseSubscription,
  RENEWALS,
  renew,
  resumeSubscription,
  warnOfTrialEnd,
} from './billing/subscriptionLifecycle.ts'
import type { Deliveries } from './events/deliveries.ts'
import { pageEnvelope } from './pages/pageEnvelope.ts'
import type { ProviderContext } from './providerContext.ts'
import { requireRecord, requireReferenced } from './state/recordLookup.ts'
import type { Invoice } from './state/records.ts'
import { FORM_CONTENTS, type Form, formOf, PAYMENT_BODY_BYTES_MAX } from './wire/formBody.ts'
import { amount, changedMetadata, currency, metadata, readParams } from './wire/params.ts'
import { invalidParam } from './wire/paymentApiError.ts'
import type { PaymentOperation } from './wire/paymentOperation.ts'

const issue = z.strictObject({
  amount,
  currency: currency.optional(),
  customer: z.string().optional(),
  email: z.string().max(512).optional(),
  /** Seconds since 1970, or a date; may be in the past. 30 days from now by default. */
  due_date: z.string().optional(),
  description: z.string().max(500).optional(),
  metadata: metadata.optional(),
})

/** The event types that the webhook is registered for. A restart registers it for the required ones. */
export type Registration = { types: readonly PaymentEventType[] }

/**
 * Requests for what people do in a provider's dashboard and for what happens over time. The real provider has no such
 * routes. Programs get the changed object, browsers are led back to the dashboard.
 */
export function controlRoutes(
  context: ProviderContext,
  deliveries: Deliveries,
  registration: Registration,
): readonly Route[] {
  return controls(deliveries, registration).map(({ method, path, handle }) =>
    route({
      method,
      path,
      access: 'public',
      summary: `${method} ${path} of the sandbox`,
      query: anyQuery,
      body: bytesBody(FORM_CONTENTS, PAYMENT_BODY_BYTES_MAX),
      envelope: pageEnvelope,
      handle: ({ request, response, body, params: { id = '' } }) => {
        const form = formOf(request, body)
        const outcome = context.state.transact(() => handle(context, form, id))
        return prefersHtml(request) ? redirect(response, '/payments') : outcome
      },
    }),
  )
}

function controls(deliveries: Deliveries, registration: Registration): readonly PaymentOperation[] {
  const post = (path: string, handle: PaymentOperation['handle']): PaymentOperation => ({
    method: 'POST',
    path,
    handle,
  })
  return [
    post('/sandbox/subscriptions/:id/renew', (context, form, id) => {
      const outcome = z.enum(RENEWALS, `must be one of ${RENEWALS.join(', ')}`)
      const { outcome: renewal } = readParams(z.strictObject({ outcome: outcome.default('pay') }), form)
      return renew(context, requireRecord(context, 'subscription', id), renewal)
    }),
    post('/sandbox/subscriptions/:id/announce', (context, _, id) => {
      const subscription = requireRecord(context, 'subscription', id)
      announceRenewal(context, subscription)
      return subscription
    }),
    post('/sandbox/subscriptions/:id/end-trial-soon', (context, _, id) =>
      warnOfTrialEnd(context, requireRecord(context, 'subscription', id)),
    ),
    post('/sandbox/subscriptions/:id/pause', (context, _, id) =>
      pauseSubscription(context, requireRecord(context, 'subscription', id)),
    ),
    post('/sandbox/subscriptions/:id/resume', (context, _, id) =>
      resumeSubscription(context, requireRecord(context, 'subscription', id), 'unchanged'),
    ),
    post('/sandbox/subscriptions/:id/cancel', (context, _, id) =>
      endSubscription(context, requireRecord(context, 'subscription', id)),
    ),
    post('/sandbox/invoices', issueInvoice),
    post('/sandbox/invoices/:id/pay', (context, _, id) => payInvoice(context, payableInvoice(context, id))),
    post('/sandbox/invoices/:id/decline', (context, _, id) => failPayment(context, payableInvoice(context, id))),
    post('/sandbox/invoices/:id/void', (context, _, id) => voidInvoice(context, requireRecord(context, 'invoice', id))),
    post('/sandbox/invoices/:id/mark-uncollectible', (context, _, id) =>
      markUncollectible(context, requireRecord(context, 'invoice', id)),
    ),
    post('/sandbox/charges/:id/refund', (context, form, id) => {
      const params = readParams(z.strictObject({ amount: amount.optional() }), form)
      return refundCharge(context, requireRecord(context, 'charge', id), { amount: params.amount, metadata: {} })
    }),
    post('/sandbox/refunds/:id/fail', (context, _, id) => failRefund(context, requireRecord(context, 'refund', id))),
    post('/sandbox/payment_methods/:id/outcome', (context, form, id) => {
      const outcome = z.enum(METHOD_OUTCOMES, `must be one of ${METHOD_OUTCOMES.join(', ')}`)
      const { outcome: sandbox_outcome } = readParams(z.strictObject({ outcome }), form)
      return context.state.put('paymentMethod', { ...requireRecord(context, 'paymentMethod', id), sandbox_outcome })
    }),
    post('/sandbox/charges/:id/dispute', (context, form, id) => {
      const terms = z.strictObject({
        amount: amount.optional(),
        reason: z.enum(DISPUTE_REASONS).optional(),
        inquiry: z.enum(['true', 'false']).optional(),
      })
      const { inquiry, ...of } = readParams(terms, form)
      return openDispute(context, requireRecord(context, 'charge', id), { ...of, inquiry: inquiry === 'true' })
    }),
    post('/sandbox/disputes/:id/review', (context, _, id) =>
      reviewDispute(context, requireRecord(context, 'dispute', id)),
    ),
    post('/sandbox/disputes/:id/close', (context, form, id) => {
      const outcome = z.enum(DISPUTE_OUTCOMES, `must be one of ${DISPUTE_OUTCOMES.join(', ')}`)
      const closing = readParams(z.strictObject({ outcome }), form)
      return closeDispute(context, requireRecord(context, 'dispute', id), closing.outcome)
    }),
    post('/sandbox/webhook-types', (context, form) => {
      const { types } = readParams(z.strictObject({ types: z.enum(['none', 'required', 'all']) }), form)
      const all = [...PAYMENT_EVENT_TYPES, ...OTHER_PAYMENT_EVENT_TYPES]
      registration.types = { none: [], required: PAYMENT_EVENT_TYPES, all }[types]
      const enabled_events = [...registration.types]
      return { id: 'we_sandbox', object: 'webhook_endpoint', created: context.now(), enabled_events }
    }),
    post('/sandbox/events/:id/resend', (context, _, id) => {
      const event = requireRecord(context, 'event', id)
      deliveries.enqueue(event.id)
      queueMicrotask(() => deliveries.wake())
      return event
    }),
  ]
}

/** An invoice with a due date, as a company on postpaid billing receives it. */
function issueInvoice(context: ProviderContext, form: Form): Invoice {
  const given = readParams(issue, form)
  const customer = given.customer
    ? requireReferenced(context, 'customer', given.customer, 'customer')
    : createCustomer(context, { email: given.email || null, metadata: changedMetadata({}, given.metadata) })
  const draft = draftInvoice(context, {
    customer: customer.id,
    currency: given.currency ?? 'usd',
    subscription: null,
    reason: 'manual',
    lines: [
      {
        amount: given.amount,
        description: given.description || 'Usage',
        price: null,
        quantity: 1,
        start: context.now(),
        end: context.now(),
      },
    ],
    metadata: changedMetadata({}, given.metadata),
    description: given.description || null,
    dueDate: given.due_date ? secondsOf(given.due_date) : context.now() + 30 * DAY_SECONDS,
    collection: 'send_invoice',
  })
  return finalizeInvoice(context, draft)
}

function secondsOf(time: string): number {
  const seconds = /^\d+$/.test(time) ? Number(time) : Math.floor(Date.parse(time) / 1000)
  if (Number.isNaN(seconds)) throw invalidParam('due_date', `Invalid due_date: ${time.slice(0, 100)} is not a time`)
  return seconds
}
