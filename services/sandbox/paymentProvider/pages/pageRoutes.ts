import { z } from 'zod'
import { Reply } from '../../../../platform/http/answer/reply.ts'
import { bytesBody } from '../../../../platform/http/body/bodyReaders.ts'
import { anyQuery, type Route, route } from '../../../../platform/http/route.ts'
import { pageReply, redirect } from '../../pages/page.ts'
import { currentSession } from '../api/checkoutSessionOperations.ts'
import { completeCheckout, declineCheckout } from '../billing/completeCheckout.ts'
import { failPayment, payableInvoice, payInvoice } from '../billing/invoiceLifecycle.ts'
import { answerConfirmation } from '../billing/savedMethods.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord } from '../state/recordLookup.ts'
import type { CheckoutSession } from '../state/records.ts'
import { FORM_CONTENTS, formOf, PAYMENT_BODY_BYTES_MAX } from '../wire/formBody.ts'
import { readParams } from '../wire/params.ts'
import { billOfIntent, billOfInvoice, billOfSession } from './bill.ts'
import { dashboardPage } from './dashboardPage.ts'
import { invoicePdf } from './invoicePdf.ts'
import { pageEnvelope } from './pageEnvelope.ts'
import { closedPage, paymentPage } from './paymentPage.ts'

const declinedQuery = z.looseObject({ declined: z.string().optional() })
const outcomeForm = z.looseObject({ outcome: z.enum(['pay', 'decline'], 'must be pay or decline') })

const page = { method: 'GET', access: 'public', envelope: pageEnvelope } as const
const submission = {
  method: 'POST',
  access: 'public',
  envelope: pageEnvelope,
  query: anyQuery,
  body: bytesBody(FORM_CONTENTS, PAYMENT_BODY_BYTES_MAX),
} as const

/** The pages of the provider: its dashboard, and where sessions and invoices are paid. */
export function pageRoutes(context: ProviderContext, paymentEventsUrl: string): readonly Route[] {
  return [
    route({
      ...page,
      path: '/payments',
      summary: 'The dashboard',
      query: anyQuery,
      handle: () => {
        return pageReply(200, dashboardPage(context, paymentEventsUrl))
      },
    }),
    route({
      ...page,
      path: '/checkout/:id',
      summary: 'The page where a checkout session is paid',
      query: declinedQuery,
      handle: ({ params: { id = '' }, query }) => {
        const session = sessionOf(context, id)
        if (session.status === 'complete') return closedSession(context, session, 200)
        if (session.status === 'expired') return closedSession(context, session, 410)
        const bill = billOfSession(context, session)
        return pageReply(200, paymentPage(bill, query.declined !== undefined, session.cancel_url))
      },
    }),
    route({
      ...submission,
      path: '/checkout/:id',
      summary: 'Pays a checkout session, or declines the card',
      handle: ({ request, response, body, params: { id = '' } }) => {
        const { outcome } = readParams(outcomeForm, formOf(request, body))
        const session = sessionOf(context, id)
        if (session.status !== 'open') return closedSession(context, session, session.status === 'complete' ? 409 : 410)
        // The real provider's events of a declined card are not among those that the webhook is registered for.
        if (outcome === 'decline') {
          context.state.transact(() => declineCheckout(context, session))
          return redirect(response, `/checkout/${id}?declined`)
        }
        const complete = context.state.transact(() => completeCheckout(context, session))
        return redirect(response, complete.success_url ?? `/checkout/${id}`)
      },
    }),
    route({
      ...page,
      path: '/confirm/:id',
      summary: 'The page where a bank asks the holder of a saved card to confirm a payment',
      query: anyQuery,
      handle: ({ params: { id = '' } }) => {
        const intent = requireRecord(context, 'paymentIntent', id)
        const bill = billOfIntent(context, intent)
        if (intent.status === 'requires_action') return pageReply(200, paymentPage(bill, false, null))
        return pageReply(200, closedPage(bill, intent.status === 'succeeded' ? 'paid' : 'expired', null))
      },
    }),
    route({
      ...submission,
      path: '/confirm/:id',
      summary: 'Confirms a payment by a saved card, or refuses it',
      handle: ({ request, response, body, params: { id = '' } }) => {
        const { outcome } = readParams(outcomeForm, formOf(request, body))
        context.state.transact(() => {
          const intent = requireRecord(context, 'paymentIntent', id)
          if (intent.status === 'requires_action') answerConfirmation(context, intent, outcome === 'pay')
        })
        return redirect(response, `/confirm/${id}`)
      },
    }),
    route({
      ...page,
      path: '/invoices/:id',
      summary: 'The page where an invoice is paid',
      query: declinedQuery,
      handle: ({ params: { id = '' }, query }) => {
        const invoice = requireRecord(context, 'invoice', id)
        const bill = billOfInvoice(context, invoice)
        const isOver = invoice.status === 'paid' || invoice.status === 'void'
        const isDeclined = query.declined !== undefined
        return pageReply(200, isOver ? closedPage(bill, invoice.status, null) : paymentPage(bill, isDeclined, null))
      },
    }),
    route({
      ...page,
      path: '/invoices/:id/pdf',
      summary: 'An invoice as a PDF document',
      query: anyQuery,
      handle: ({ params: { id = '' } }) => {
        const invoice = requireRecord(context, 'invoice', id)
        return new Reply(200, 'application/pdf', invoicePdf(billOfInvoice(context, invoice)))
      },
    }),
    route({
      ...submission,
      path: '/invoices/:id',
      summary: 'Pays an invoice, or declines the card',
      handle: ({ request, response, body, params: { id = '' } }) => {
        const { outcome } = readParams(outcomeForm, formOf(request, body))
        const pay = outcome === 'pay' ? payInvoice : failPayment
        context.state.transact(() => pay(context, payableInvoice(context, id)))
        return redirect(response, outcome === 'pay' ? `/invoices/${id}` : `/invoices/${id}?declined`)
      },
    }),
  ]
}

function closedSession(context: ProviderContext, session: CheckoutSession, status: number): Reply {
  const bill = billOfSession(context, session)
  return session.status === 'complete'
    ? pageReply(status, closedPage(bill, 'paid', session.success_url))
    : pageReply(status, closedPage(bill, 'expired', session.cancel_url))
}

function sessionOf(context: ProviderContext, id: string): CheckoutSession {
  return context.state.transact(() => currentSession(context, requireRecord(context, 'checkoutSession', id)))
}
