import { z } from 'zod'
import {
  draftInvoice,
  failPayment,
  finalizeInvoice,
  type LineFacts,
  markUncollectible,
  payInvoice,
  voidInvoice,
  withLines,
} from '../billing/invoiceLifecycle.ts'
import { DAY_SECONDS } from '../billing/period.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { Invoice, InvoiceItem } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, currency, flag, integer, metadata, optionalText, readParams, text } from '../wire/params.ts'
import { invalidParam, invalidState, PaymentApiError } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const collection = z.enum(['charge_automatically', 'send_invoice'])
const creation = z.strictObject({
  customer: text,
  currency: currency.optional(),
  collection_method: collection.optional(),
  days_until_due: integer.optional(),
  due_date: integer.optional(),
  description: optionalText,
  metadata: metadata.optional(),
  auto_advance: flag.optional(),
  pending_invoice_items_behavior: z.enum(['include', 'exclude']).optional(),
})
const itemCreation = z.strictObject({
  customer: text,
  amount: integer,
  currency,
  description: optionalText,
  invoice: text.optional(),
  metadata: metadata.optional(),
})
const payment = z.strictObject({ paid_out_of_band: flag.optional(), payment_method: text.optional() })

/** The provider's test card that is always declined. */
const DECLINED_CARD = 'pm_card_chargeDeclined'

export const invoiceOperations: readonly PaymentOperation[] = [
  { method: 'POST', path: '/v1/invoices', handle: createInvoice },
  { method: 'GET', path: '/v1/invoices/:id', handle: (context, _, id) => requireRecord(context, 'invoice', id) },
  {
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    handle: (context, form, id) => {
      readParams(z.strictObject({ auto_advance: flag.optional() }), form)
      const invoice = requireRecord(context, 'invoice', id)
      if (invoice.status !== 'draft') {
        throw invalidState(
          "This invoice is already finalized, you can't re-finalize a non-draft invoice.",
          'invoice_not_editable',
        )
      }
      return finalizeInvoice(context, invoice)
    },
  },
  { method: 'POST', path: '/v1/invoices/:id/pay', handle: payByApi },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    handle: (context, _, id) => voidInvoice(context, requireRecord(context, 'invoice', id)),
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    handle: (context, _, id) => markUncollectible(context, requireRecord(context, 'invoice', id)),
  },
  {
    method: 'GET',
    path: '/v1/invoices',
    handle: ({ state }, form) =>
      listPage(
        form,
        {
          customer: text.optional(),
          subscription: text.optional(),
          status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
          collection_method: collection.optional(),
        },
        '/v1/invoices',
        state.all('invoice'),
        (invoice, filter) =>
          (['customer', 'subscription', 'status', 'collection_method'] as const).every(
            (field) => filter[field] === undefined || invoice[field] === filter[field],
          ),
      ),
  },
  { method: 'POST', path: '/v1/invoiceitems', handle: createInvoiceItem },
  {
    method: 'GET',
    path: '/v1/invoiceitems',
    handle: ({ state }, form) =>
      listPage(
        form,
        { customer: text.optional(), invoice: text.optional(), pending: flag.optional() },
        '/v1/invoiceitems',
        state.all('invoiceItem'),
        (item, { customer, invoice, pending }) =>
          (customer === undefined || item.customer === customer) &&
          (invoice === undefined || item.invoice === invoice) &&
          (pending === undefined || (item.invoice === null) === pending),
      ),
  },
]

function createInvoice(context: ProviderContext, form: Form): Invoice {
  const { state, now } = context
  const given = readParams(creation, form)
  const customer = requireReferenced(context, 'customer', given.customer, 'customer')
  const { collection_method = 'charge_automatically', days_until_due, due_date } = given
  if (collection_method === 'charge_automatically' && (days_until_due !== undefined || due_date !== undefined)) {
    throw invalidParam('due_date', 'You can only set a due date when `collection_method` is `send_invoice`.')
  }
  const dueDate = due_date ?? (days_until_due === undefined ? null : now() + days_until_due * DAY_SECONDS)
  if (collection_method === 'send_invoice' && dueDate === null) {
    throw invalidParam(
      'days_until_due',
      'If `collection_method` is `send_invoice`, `days_until_due` or `due_date` must be set.',
    )
  }
  if (collection_method === 'send_invoice' && !customer.email) {
    throw invalidState(
      'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
      'missing_email',
    )
  }
  const pending =
    given.pending_invoice_items_behavior === 'include'
      ? state.all('invoiceItem').filter((item) => item.customer === given.customer && item.invoice === null)
      : []
  const invoice = draftInvoice(context, {
    customer: given.customer,
    currency: given.currency ?? pending[0]?.currency ?? 'usd',
    subscription: null,
    reason: 'manual',
    lines: pending.map(lineOf),
    metadata: changedMetadata({}, given.metadata),
    description: given.description || null,
    dueDate,
    collection: collection_method,
  })
  for (const item of pending) state.put('invoiceItem', { ...item, invoice: invoice.id })
  return invoice
}

function createInvoiceItem(context: ProviderContext, form: Form): InvoiceItem {
  const { state, now, newId } = context
  const given = readParams(itemCreation, form)
  requireReferenced(context, 'customer', given.customer, 'customer')
  const invoice = given.invoice === undefined ? null : requireReferenced(context, 'invoice', given.invoice, 'invoice')
  if (invoice && invoice.status !== 'draft')
    throw invalidState('This invoice is no longer editable', 'invoice_not_editable')
  if (invoice && invoice.currency !== given.currency) {
    throw invalidParam('currency', `The currency of the invoice item must match the invoice (${invoice.currency}).`)
  }
  const item = state.put('invoiceItem', {
    id: newId('invoiceItem'),
    object: 'invoiceitem',
    amount: given.amount,
    created: now(),
    currency: given.currency,
    customer: given.customer,
    date: now(),
    description: given.description || 'Invoice item',
    discountable: true,
    invoice: invoice?.id ?? null,
    livemode: false,
    metadata: changedMetadata({}, given.metadata),
    period: { start: now(), end: now() },
    price: null,
    proration: false,
    quantity: 1,
    subscription: null,
    unit_amount: given.amount,
  })
  if (invoice) {
    const items = state.all('invoiceItem').filter((one) => one.invoice === invoice.id)
    state.put('invoice', { ...invoice, ...withLines(context, invoice.id, invoice.currency, items.map(lineOf), null) })
  }
  return item
}

function lineOf({ amount, description, created, metadata }: InvoiceItem): LineFacts {
  return { amount, description, price: null, quantity: 1, start: created, end: created, metadata }
}

function payByApi(context: ProviderContext, form: Form, id: string): Invoice | PaymentApiError {
  const { paid_out_of_band, payment_method } = readParams(payment, form)
  const invoice = requireRecord(context, 'invoice', id)
  if (invoice.status === 'paid') throw invalidState('Invoice is already paid', 'invoice_already_paid')
  if (invoice.status === 'void') throw invalidState('You can only pay an open invoice.')
  const open = invoice.status === 'draft' ? finalizeInvoice(context, invoice) : invoice
  if (payment_method !== DECLINED_CARD) return payInvoice(context, open, paid_out_of_band ? 'out of band' : 'card')
  failPayment(context, open)
  return new PaymentApiError({
    status: 402,
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  })
}
