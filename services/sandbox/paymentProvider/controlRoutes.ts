import { z } from 'zod'
import { createCustomer } from './billing/createCustomer.ts'
import { draftInvoice, failPayment, finalizeInvoice, payInvoice } from './billing/invoiceLifecycle.ts'
import { DAY_SECONDS } from './billing/period.ts'
import { refundCharge } from './billing/refundCharge.ts'
import {
  announceRenewal,
  endSubscription,
  pauseSubscription,
  RENEWALS,
  renew,
  resumeSubscription,
  warnOfTrialEnd,
} from './billing/subscriptionLifecycle.ts'
import type { ProviderContext } from './providerContext.ts'
import { requireRecord, requireReferenced } from './state/recordLookup.ts'
import type { Invoice } from './state/records.ts'
import type { Deliveries } from './webhooks/deliveries.ts'
import type { Form } from './wire/formBody.ts'
import { amount, changedMetadata, currency, metadata, readParams } from './wire/params.ts'
import { invalidParam, invalidState } from './wire/paymentApiError.ts'
import type { ApiRoute } from './wire/route.ts'

const issue = z.strictObject({
  amount,
  currency: currency.optional(),
  customer: z.string().optional(),
  email: z.string().max(512).optional(),
  /** Seconds since 1970 or a date; it may lie in the past. In 30 days where there is none. */
  due_date: z.string().optional(),
  description: z.string().max(500).optional(),
  metadata: metadata.optional(),
})

/** What people do in a provider's dashboard, and what time does. The real provider has no such routes. */
export function controlRoutes(deliveries: Deliveries): readonly ApiRoute[] {
  const post = (path: string, handle: ApiRoute['handle']): ApiRoute => ({ method: 'POST', path, handle })
  return [
    post('/sandbox/subscriptions/:id/renew', (context, form, id) => {
      const outcome = z.enum(RENEWALS, `must be one of ${RENEWALS.join(', ')}`)
      const { outcome: asked } = readParams(z.strictObject({ outcome: outcome.default('pay') }), form)
      return renew(context, requireRecord(context, 'subscription', id), asked)
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
    post('/sandbox/invoices/:id/pay', (context, _, id) => payInvoice(context, openInvoice(context, id))),
    post('/sandbox/invoices/:id/decline', (context, _, id) => failPayment(context, openInvoice(context, id))),
    post('/sandbox/charges/:id/refund', (context, form, id) => {
      const asked = readParams(z.strictObject({ amount: amount.optional() }), form)
      return refundCharge(context, requireRecord(context, 'charge', id), { amount: asked.amount, metadata: {} })
    }),
    post('/sandbox/events/:id/resend', (context, _, id) => {
      const event = requireRecord(context, 'event', id)
      deliveries.enqueue(event.id)
      queueMicrotask(() => deliveries.wake())
      return event
    }),
  ]
}

/** An invoice with a due date, as a company gets it that pays afterwards. */
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

/** One that is unpaid; a draft whose finalization failed is finalized after all. */
export function openInvoice(context: ProviderContext, id: string): Invoice {
  const invoice = requireRecord(context, 'invoice', id)
  if (invoice.status === 'paid' || invoice.status === 'void') throw invalidState(`${id} is ${invoice.status} already`)
  return invoice.status === 'draft' ? finalizeInvoice(context, invoice) : invoice
}

function secondsOf(time: string): number {
  const seconds = /^\d+$/.test(time) ? Number(time) : Math.floor(Date.parse(time) / 1000)
  if (Number.isNaN(seconds)) throw invalidParam('due_date', `Invalid due_date: ${time.slice(0, 100)} is not a time`)
  return seconds
}
