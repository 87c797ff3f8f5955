import { z } from 'zod'
import { draftInvoice, failPayment, finalizeInvoice, payInvoice } from './money/invoices.ts'
import {
  announceRenewal,
  endSubscription,
  pauseSubscription,
  RENEWALS,
  renew,
  resumeSubscription,
  warnOfTrialEnd,
} from './money/subscriptions.ts'
import { refundCharge } from './resources/charges.ts'
import { createCustomer } from './resources/customers.ts'
import type { Invoice } from './state/records.ts'
import { referred, type Till, theOne } from './till.ts'
import type { Deliveries } from './webhooks/deliveries.ts'
import type { Form } from './wire/formBody.ts'
import { amount, changedMetadata, currency, metadata, readParams } from './wire/params.ts'
import { badParam, cannot } from './wire/refusal.ts'
import type { ApiRoute } from './wire/route.ts'

const DAY_SECONDS = 24 * 60 * 60

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
    post('/sandbox/subscriptions/:id/renew', (till, form, id) => {
      const outcome = z.enum(RENEWALS, `must be one of ${RENEWALS.join(', ')}`)
      const { outcome: asked } = readParams(z.strictObject({ outcome: outcome.default('pay') }), form)
      return renew(till, theOne(till, 'subscription', id), asked)
    }),
    post('/sandbox/subscriptions/:id/announce', (till, _, id) => {
      const subscription = theOne(till, 'subscription', id)
      announceRenewal(till, subscription)
      return subscription
    }),
    post('/sandbox/subscriptions/:id/end-trial-soon', (till, _, id) =>
      warnOfTrialEnd(till, theOne(till, 'subscription', id)),
    ),
    post('/sandbox/subscriptions/:id/pause', (till, _, id) =>
      pauseSubscription(till, theOne(till, 'subscription', id)),
    ),
    post('/sandbox/subscriptions/:id/resume', (till, _, id) =>
      resumeSubscription(till, theOne(till, 'subscription', id), 'unchanged'),
    ),
    post('/sandbox/subscriptions/:id/cancel', (till, _, id) => endSubscription(till, theOne(till, 'subscription', id))),
    post('/sandbox/invoices', issueInvoice),
    post('/sandbox/invoices/:id/pay', (till, _, id) => payInvoice(till, openInvoice(till, id))),
    post('/sandbox/invoices/:id/decline', (till, _, id) => failPayment(till, openInvoice(till, id))),
    post('/sandbox/charges/:id/refund', (till, form, id) => {
      const asked = readParams(z.strictObject({ amount: amount.optional() }), form)
      return refundCharge(till, theOne(till, 'charge', id), { amount: asked.amount, metadata: {} })
    }),
    post('/sandbox/events/:id/resend', (till, _, id) => {
      const event = theOne(till, 'event', id)
      deliveries.enqueue(event.id)
      queueMicrotask(() => deliveries.wake())
      return event
    }),
  ]
}

/** An invoice with a due date, as a company gets it that pays afterwards. */
function issueInvoice(till: Till, form: Form): Invoice {
  const given = readParams(issue, form)
  const customer = given.customer
    ? referred(till, 'customer', given.customer, 'customer')
    : createCustomer(till, { email: given.email || null, metadata: changedMetadata({}, given.metadata) })
  const draft = draftInvoice(till, {
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
        start: till.now(),
        end: till.now(),
      },
    ],
    metadata: changedMetadata({}, given.metadata),
    description: given.description || null,
    dueDate: given.due_date ? secondsOf(given.due_date) : till.now() + 30 * DAY_SECONDS,
    collection: 'send_invoice',
  })
  return finalizeInvoice(till, draft)
}

/** One that is unpaid; a draft whose finalization failed is finalized after all. */
export function openInvoice(till: Till, id: string): Invoice {
  const invoice = theOne(till, 'invoice', id)
  if (invoice.status === 'paid' || invoice.status === 'void') throw cannot(`${id} is ${invoice.status} already`)
  return invoice.status === 'draft' ? finalizeInvoice(till, invoice) : invoice
}

function secondsOf(time: string): number {
  const seconds = /^\d+$/.test(time) ? Number(time) : Math.floor(Date.parse(time) / 1000)
  if (Number.isNaN(seconds)) throw badParam('due_date', `Invalid due_date: ${time.slice(0, 100)} is not a time`)
  return seconds
}
