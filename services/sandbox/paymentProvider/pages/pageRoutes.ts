import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendJson } from '../../../platform/http/answers.ts'
import { readBody } from '../../../platform/http/requestBody.ts'
import { type Html, html } from '../../pages/html.ts'
import { isOwnPage, prefersHtml } from '../../pages/ownPage.ts'
import { page, redirect, sandboxStrip, sendPage } from '../../pages/page.ts'
import { currentSession } from '../api/checkoutSessionRoutes.ts'
import { completeCheckout } from '../billing/completeCheckout.ts'
import { failPayment, payInvoice } from '../billing/invoiceLifecycle.ts'
import { openInvoice } from '../controlRoutes.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord } from '../state/recordLookup.ts'
import type { CheckoutSession } from '../state/records.ts'
import { decodeForm, type Form, formOfJson, PAYMENT_BODY_BYTES_MAX } from '../wire/formBody.ts'
import { invalidParam, PaymentApiError } from '../wire/paymentApiError.ts'
import { type ApiRoute, findRoute } from '../wire/route.ts'
import { billOfInvoice, billOfSession } from './bill.ts'
import { dashboardPage } from './dashboardPage.ts'
import { closedPage, paymentPage } from './paymentPage.ts'

type Outcome = 'pay' | 'decline'
type Reply =
  | { readonly status: number; readonly page: Html }
  | { readonly location: string }
  | { readonly json: object }

/** Everything of the provider that a person sees or clicks. */
export function paymentPages(context: ProviderContext, controls: readonly ApiRoute[], webhookUrl: string) {
  const { state } = context

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (!isOwnPage(request)) throw foreign()
      reply(response, await answerTo(request))
    } catch (error) {
      if (!(error instanceof PaymentApiError)) throw error
      if (prefersHtml(request)) sendPage(response, error.facts.status, faultPage(error.message))
      else sendJson(response, error.facts.status, error.body)
    }
  }

  async function answerTo(request: IncomingMessage): Promise<Reply> {
    const [path = '/', query = ''] = (request.url ?? '/').split('?', 2)
    if (request.method === 'GET') return shown(path, new URLSearchParams(query).has('declined'))
    const form = await formOf(request)
    const control = findRoute(controls, request.method ?? '', path)
    if (!control) return submitted(path, outcomeOf(form))
    const outcome = state.transact(() => control.route.handle(context, form, control.id))
    return prefersHtml(request) ? { location: '/payments' } : { json: outcome }
  }

  function shown(path: string, isDeclined: boolean): Reply {
    if (path === '/payments') return { status: 200, page: dashboardPage(context, webhookUrl) }
    const { kind, id } = payable(path)
    if (kind === 'checkout') {
      const session = sessionOf(id)
      if (session.status !== 'open')
        return { ...closed(session), ...(session.status === 'complete' ? { status: 200 } : {}) }
      return { status: 200, page: paymentPage(billOfSession(context, session), isDeclined, session.cancel_url) }
    }
    const invoice = requireRecord(context, 'invoice', id)
    const bill = billOfInvoice(context, invoice)
    const isOver = invoice.status === 'paid' || invoice.status === 'void'
    return {
      status: 200,
      page: isOver ? closedPage(bill, invoice.status, null) : paymentPage(bill, isDeclined, null),
    }
  }

  function submitted(path: string, outcome: Outcome): Reply {
    const { kind, id } = payable(path)
    if (kind === 'invoices') {
      const pay = outcome === 'pay' ? payInvoice : failPayment
      state.transact(() => pay(context, openInvoice(context, id)))
      return { location: outcome === 'pay' ? path : `${path}?declined` }
    }
    const session = sessionOf(id)
    if (session.status !== 'open') return closed(session)
    // What the real provider tells of a declined card is nothing that the webhook is registered for.
    if (outcome === 'decline') return { location: `${path}?declined` }
    const complete = state.transact(() => completeCheckout(context, session))
    return { location: complete.success_url ?? path }
  }

  /** A click that comes too late. */
  function closed(session: CheckoutSession): { status: number; page: Html } {
    const bill = billOfSession(context, session)
    return session.status === 'complete'
      ? { status: 409, page: closedPage(bill, 'paid', session.success_url) }
      : { status: 410, page: closedPage(bill, 'expired', session.cancel_url) }
  }

  function sessionOf(id: string): CheckoutSession {
    return state.transact(() => currentSession(context, requireRecord(context, 'checkoutSession', id)))
  }
}

function reply(response: ServerResponse, answer: Reply): void {
  if ('page' in answer) sendPage(response, answer.status, answer.page)
  else if ('location' in answer) redirect(response, answer.location)
  else sendJson(response, 200, answer.json)
}

function payable(path: string): { kind: 'checkout' | 'invoices'; id: string } {
  const [, kind, id] = /^\/(checkout|invoices)\/(\w+)$/.exec(path) ?? []
  if (kind === undefined || id === undefined) {
    throw new PaymentApiError({ status: 404, type: 'invalid_request_error', message: 'The sandbox has no such page.' })
  }
  return { kind: kind as 'checkout' | 'invoices', id }
}

async function formOf(request: IncomingMessage): Promise<Form> {
  const body = await readBody(request, PAYMENT_BODY_BYTES_MAX)
  if (!Buffer.isBuffer(body)) {
    throw new PaymentApiError({ status: 413, type: 'invalid_request_error', message: `The request body is ${body}.` })
  }
  if (!request.headers['content-type']?.startsWith('application/json')) return decodeForm(body.toString())
  try {
    return formOfJson(JSON.parse(body.toString()))
  } catch (error) {
    if (error instanceof PaymentApiError) throw error
    throw new PaymentApiError({ status: 400, type: 'invalid_request_error', message: 'The body is no JSON.' })
  }
}

function outcomeOf({ outcome }: Form): Outcome {
  if (outcome === 'pay' || outcome === 'decline') return outcome
  throw invalidParam('outcome', 'Invalid outcome: must be pay or decline')
}

function foreign(): PaymentApiError {
  return new PaymentApiError({
    status: 403,
    type: 'invalid_request_error',
    message: 'The sandbox answers on loopback, to its own pages and to programs.',
  })
}

function faultPage(message: string) {
  return page(
    'Sandbox',
    '.fault{max-width:560px;margin:80px auto;padding:0 20px;display:grid;gap:16px}',
    html`${sandboxStrip('No money moves.')}<main class="fault"><h1>That did not work</h1><p>${message}</p>
<p><a class="button" href="/payments">To the payments</a></p></main>`,
  )
}
