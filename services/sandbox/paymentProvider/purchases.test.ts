import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PAYMENT_EVENT_TYPES } from '../../../contracts/events/paymentEvent.ts'
import {
  type PaymentEventReceiver,
  press,
  startPaymentEventReceiver,
  stripeClient,
} from '../../../test/support/harness/paymentSandboxClient.ts'
import { startTestSandbox, type TestSandbox } from '../../../test/support/harness/sandbox.ts'

const DAY_SECONDS = 24 * 60 * 60

let sandbox: TestSandbox
let backend: PaymentEventReceiver
let stripe: Stripe
let once: Stripe.Price
let monthly: Stripe.Price

beforeAll(async () => {
  backend = await startPaymentEventReceiver()
  sandbox = await startTestSandbox({ backendPort: backend.port })
  stripe = stripeClient(sandbox.url)
  const pack = await stripe.products.create({ name: 'Pack <of> 100' })
  once = await stripe.prices.create({ product: pack.id, currency: 'usd', unit_amount: 1000 })
  const plan = await stripe.products.create({ name: 'Team' })
  monthly = await stripe.prices.create({
    product: plan.id,
    currency: 'eur',
    unit_amount: 2900,
    recurring: { interval: 'month' },
  })
})
afterAll(async () => {
  await sandbox.close()
  await backend.close()
})
beforeEach(() => void backend.delivered.splice(0))

async function checkout(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: params.mode === 'subscription' ? monthly.id : once.id, quantity: 1 }],
    metadata: { companyId: 'c1', purchaseId: 'p1' },
    success_url: 'http://shop.example/thanks',
    cancel_url: 'http://shop.example/back',
    ...params,
  })
  return { session, url: session.url ?? '' }
}

async function subscribed(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { session, url } = await checkout({ mode: 'subscription', ...params })
  await press(url, 'pay')
  await backend.objects('checkout.session.completed')
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id)
  backend.delivered.splice(0)
  return String(subscription)
}

/** Calls a control of the sandbox, as a button on the dashboard does. */
async function control(path: string, fields: object = {}) {
  const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

describe('the checkout page', () => {
  test('names the sandbox, the items and the amount, and loads nothing from elsewhere', async () => {
    const { url } = await checkout()
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    const text = await page.text()
    expect(page.status).toBe(200)
    expect(text).toMatch(/Sandbox.*No money moves/)
    expect(text).toContain('Pack &lt;of&gt; 100')
    expect(text).toContain('$10.00')
    expect(text).toMatch(/<form method="post">/)
    expect(text).toMatch(/<button[^>]* name="outcome" value="pay"/)
    expect(text).toMatch(/<button[^>]* name="outcome" value="decline"/)
    expect(text).not.toMatch(/<script|<link|<img|@import|url\(/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('redirects to success_url after a payment and refuses a second one', async () => {
    const { session, url } = await checkout()
    const paid = await press(url, 'pay')
    expect(paid.status).toBe(303)
    expect(paid.headers.get('location')).toBe('http://shop.example/thanks')
    expect((await press(url, 'pay')).status).toBe(409)
    expect(await (await fetch(url)).text()).toContain('Paid')
    await backend.objects('checkout.session.completed')
    const { data } = await stripe.events.list({ type: 'checkout.session.completed' })
    expect(data.filter(({ data }) => (data.object as { id: string }).id === session.id)).toHaveLength(1)
  })

  test('shows a declined card, stays open, and offers to try again or go back', async () => {
    const { session, url } = await checkout()
    const declined = await press(url, 'decline')
    expect(declined.status).toBe(303)
    const text = await (await fetch(new URL(declined.headers.get('location') ?? '', url))).text()
    expect(text).toContain('Your card was declined')
    expect(text).toContain('href="http://shop.example/back"')
    const tried = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })
    expect(tried).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: { status: 'requires_payment_method', last_payment_error: { message: 'Your card was declined.' } },
    })
    expect((await press(url, 'pay')).status).toBe(303)
    await backend.objects('checkout.session.completed')
    expect(backend.types()).toEqual(['checkout.session.completed'])
  })

  test('shows its own result if the session has no success_url', async () => {
    const { url } = await checkout({ success_url: undefined as unknown as string })
    const paid = await press(url, 'pay')
    expect(new URL(paid.headers.get('location') ?? '', url).href).toBe(url)
  })

  test('refuses payments for expired and unknown sessions', async () => {
    const { session, url } = await checkout()
    await stripe.checkout.sessions.expire(session.id)
    expect((await press(url, 'pay')).status).toBe(410)
    expect((await press(url.replace(/.$/, '_'), 'pay')).status).toBe(404)
  })

  test('refuses requests from pages of other origins', async () => {
    const { session, url } = await checkout()
    const foreign = await fetch(url, {
      method: 'POST',
      headers: { origin: 'http://elsewhere.example' },
      body: new URLSearchParams({ outcome: 'pay' }),
    })
    expect(foreign.status).toBe(403)
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
  })
})

describe('a payment', () => {
  test('creates a session, an intent and a charge that refer to each other and carry the metadata', async () => {
    const { session, url } = await checkout({ payment_intent_data: { metadata: { purchaseId: 'p1' } } })
    await press(url, 'pay')
    const [notified] = await backend.objects('checkout.session.completed')
    expect(notified).toMatchObject({
      id: session.id,
      status: 'complete',
      payment_status: 'paid',
      url: null,
      metadata: { companyId: 'c1', purchaseId: 'p1' },
    })
    const intent = await stripe.paymentIntents.retrieve(String(notified?.payment_intent), { expand: ['latest_charge'] })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount: 1000,
      amount_received: 1000,
      metadata: { purchaseId: 'p1' },
    })
    const charge = await stripe.charges.retrieve((intent.latest_charge as Stripe.Charge).id)
    expect(charge).toMatchObject({
      paid: true,
      refunded: false,
      amount: 1000,
      payment_intent: intent.id,
      metadata: { purchaseId: 'p1' },
    })
    expect(await stripe.checkout.sessions.list({ payment_intent: intent.id })).toMatchObject({
      data: [{ id: session.id }],
    })
  })

  test('has an invoice if requested, whose events follow that of the session', async () => {
    const { session, url } = await checkout({
      invoice_creation: { enabled: true, invoice_data: { metadata: { purchaseId: 'p1' } } },
    })
    await press(url, 'pay')
    const [invoice] = await backend.objects('invoice.paid')
    expect(invoice).toMatchObject({
      status: 'paid',
      amount_paid: 1000,
      metadata: { purchaseId: 'p1' },
      subscription: null,
    })
    const { invoice: named, payment_intent } = await stripe.checkout.sessions.retrieve(session.id)
    expect(named).toBe(invoice?.id)
    expect(invoice?.payment_intent).toBe(payment_intent)
    const events = await stripe.events.list({ limit: 3 })
    expect(events.data.map(({ type }) => type)).toEqual([
      'invoice.paid',
      'invoice.finalized',
      'checkout.session.completed',
    ])
    expect((await stripe.charges.list({ payment_intent: String(payment_intent) })).data).toHaveLength(1)
  })

  test('is refunded in parts, up to the amount paid', async () => {
    const { session, url } = await checkout()
    await press(url, 'pay')
    const intent = String((await stripe.checkout.sessions.retrieve(session.id)).payment_intent)
    const part = await stripe.refunds.create({ payment_intent: intent, amount: 300, reason: 'requested_by_customer' })
    expect(part).toMatchObject({ id: expect.stringMatching(/^re_/), amount: 300, status: 'succeeded' })
    await expect(stripe.refunds.create({ payment_intent: intent, amount: 701 })).rejects.toThrow(
      'Refund amount ($7.01) is greater than unrefunded amount on charge ($7.00)',
    )
    await stripe.refunds.create({ charge: String(part.charge) })
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toThrow(/has already been refunded/)
    const notified = await backend.objects('charge.refunded', 2)
    expect(notified.map(({ amount_refunded, refunded }) => [amount_refunded, refunded]).sort()).toEqual([
      [1000, true],
      [300, false],
    ])
    const events = await stripe.events.list({ type: 'charge.refunded' })
    expect(events.data[0]?.data.previous_attributes).toMatchObject({ amount_refunded: 300, refunded: false })
    expect((await stripe.refunds.list({ payment_intent: intent })).data.map(({ amount }) => amount)).toEqual([700, 300])
  })
})

describe('a subscription', () => {
  test('starts with a paid invoice and carries its metadata', async () => {
    const { session, url } = await checkout({
      mode: 'subscription',
      customer_email: 'buyer@demo.example',
      subscription_data: { metadata: { companyId: 'c1' } },
    })
    await press(url, 'pay')
    await backend.objects('checkout.session.completed')
    const events = (await stripe.events.list({ limit: 5 })).data.toReversed()
    expect(events.map(({ type }) => type)).toEqual([
      'customer.subscription.created',
      'invoice.finalized',
      'invoice.paid',
      'customer.subscription.updated',
      'checkout.session.completed',
    ])
    expect(events[3]?.data.previous_attributes).toEqual({ status: 'incomplete' })
    const complete = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice', 'customer'],
    })
    expect(complete).toMatchObject({
      customer: { email: 'buyer@demo.example' },
      subscription: {
        status: 'active',
        metadata: { companyId: 'c1' },
        items: { data: [{ price: { id: monthly.id }, quantity: 1 }] },
        latest_invoice: {
          status: 'paid',
          billing_reason: 'subscription_create',
          amount_paid: 2900,
          subscription_details: { metadata: { companyId: 'c1' } },
          lines: { data: [{ amount: 2900 }] },
        },
      },
    })
  })

  test('starts with a free trial, whose end is announced', async () => {
    const id = await subscribed({ subscription_data: { trial_period_days: 14 } })
    const begun = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expect(begun).toMatchObject({ status: 'trialing', latest_invoice: { amount_paid: 0, status: 'paid' } })
    expect(begun.current_period_end - begun.current_period_start).toBe(14 * DAY_SECONDS)
    expect((await control(`subscriptions/${id}/end-trial-soon`)).status).toBe(200)
    const [soon] = await backend.objects('customer.subscription.trial_will_end')
    expect(soon?.trial_end).toBeLessThan(begun.trial_end ?? 0)
    await control(`subscriptions/${id}/renew`)
    await backend.objects('invoice.paid')
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  })

  test('is announced, billed and paid at the end of its period', async () => {
    const id = await subscribed()
    const before = await stripe.subscriptions.retrieve(id)
    await control(`subscriptions/${id}/renew`, { outcome: 'pay' })
    const [upcoming] = await backend.objects('invoice.upcoming')
    expect(upcoming).toMatchObject({
      subscription: id,
      amount_due: 2900,
      next_payment_attempt: before.current_period_end,
    })
    expect(upcoming).not.toHaveProperty('id')
    const [paid] = await backend.objects('invoice.paid')
    expect(paid).toMatchObject({ billing_reason: 'subscription_cycle', subscription: id, attempt_count: 1 })
    const after = await stripe.subscriptions.retrieve(id)
    expect(after).toMatchObject({
      status: 'active',
      current_period_start: before.current_period_end,
      latest_invoice: paid?.id,
    })
  })

  test('is past_due after a declined card, and active again once the invoice is paid', async () => {
    const id = await subscribed()
    await control(`subscriptions/${id}/renew`, { outcome: 'decline' })
    const [failed] = await backend.objects('invoice.payment_failed')
    expect(failed).toMatchObject({
      status: 'open',
      paid: false,
      attempt_count: 1,
      next_payment_attempt: expect.any(Number),
    })
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'past_due' })
    const invoiceId = failed?.id ?? ''
    const declined = stripe.invoices.pay(invoiceId, { payment_method: 'pm_card_chargeDeclined' })
    await expect(declined).rejects.toMatchObject({ type: 'StripeCardError', code: 'card_declined', statusCode: 402 })
    expect((await stripe.invoices.retrieve(invoiceId)).attempt_count).toBe(2)
    expect(await stripe.invoices.pay(invoiceId)).toMatchObject({ status: 'paid', amount_remaining: 0 })
    await expect(stripe.invoices.pay(invoiceId)).rejects.toThrow('Invoice is already paid')
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' })
  })

  test('is past_due while its payment needs confirmation, and keeps a draft invoice that failed to finalize', async () => {
    const id = await subscribed()
    await control(`subscriptions/${id}/renew`, { outcome: 'action_required' })
    const [waiting] = await backend.objects('invoice.payment_action_required')
    expect(waiting).toMatchObject({ status: 'open', subscription: id })
    await stripe.invoices.pay(waiting?.id ?? '')
    await control(`subscriptions/${id}/renew`, { outcome: 'finalization_failed' })
    const [draft] = await backend.objects('invoice.finalization_failed')
    expect(draft).toMatchObject({ status: 'draft', last_finalization_error: { type: 'invalid_request_error' } })
    expect(await stripe.invoices.finalizeInvoice(draft?.id ?? '')).toMatchObject({
      status: 'open',
      last_finalization_error: null,
    })
  })

  test('changes its plan and reports the previous attributes', async () => {
    const id = await subscribed()
    const larger = await stripe.prices.create({
      product: String(monthly.product),
      currency: 'eur',
      unit_amount: 9900,
      recurring: { interval: 'month' },
    })
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    await stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? '', price: larger.id }],
      metadata: { planId: 'L' },
    })
    const [notified] = await backend.objects('customer.subscription.updated')
    expect(notified).toMatchObject({
      metadata: { planId: 'L' },
      items: { data: [{ id: item?.id, price: { id: larger.id } }] },
    })
    const previous = backend.delivered[0]?.event.data.previous_attributes
    expect(previous).toMatchObject({ metadata: {}, items: { data: [{ price: { id: monthly.id } }] } })
  })

  test('is canceled at once or at the end of its period', async () => {
    const atOnce = await subscribed()
    expect(await stripe.subscriptions.cancel(atOnce)).toMatchObject({
      status: 'canceled',
      ended_at: expect.any(Number),
    })
    await backend.objects('customer.subscription.deleted')
    await expect(stripe.subscriptions.cancel(atOnce)).rejects.toThrow(`No such subscription: '${atOnce}'`)
    const later = await subscribed()
    const stopping = await stripe.subscriptions.update(later, { cancel_at_period_end: true })
    expect(stopping).toMatchObject({ status: 'active', cancel_at: stopping.current_period_end })
    await control(`subscriptions/${later}/renew`)
    await backend.objects('customer.subscription.deleted')
    expect((await stripe.subscriptions.retrieve(later)).status).toBe('canceled')
    expect(backend.types()).not.toContain('invoice.paid')
  })

  test('is paused and resumed', async () => {
    const id = await subscribed()
    await control(`subscriptions/${id}/pause`)
    const [paused] = await backend.objects('customer.subscription.paused')
    expect(paused).toMatchObject({ id, status: 'paused' })
    expect((await control(`subscriptions/${id}/renew`)).status).toBe(400)
    expect(await stripe.subscriptions.resume(id, { billing_cycle_anchor: 'unchanged' })).toMatchObject({
      status: 'active',
    })
    await backend.objects('customer.subscription.resumed')
    await expect(stripe.subscriptions.resume(id)).rejects.toThrow(/only a paused one/)
  })
})

describe('an invoice with a due date', () => {
  test('is issued from the dashboard and paid on its page', async () => {
    const { json } = await control('invoices', {
      amount: 5000,
      currency: 'usd',
      due_date: '2026-01-15',
      metadata: { companyId: 'c9' },
    })
    const [notified] = await backend.objects('invoice.finalized')
    expect(notified).toMatchObject({
      id: json.id,
      status: 'open',
      collection_method: 'send_invoice',
      amount_due: 5000,
      due_date: Date.UTC(2026, 0, 15) / 1000,
      metadata: { companyId: 'c9' },
    })
    const url = String(notified?.hosted_invoice_url)
    expect(await (await fetch(url)).text()).toContain('Due on 2026-01-15')
    await press(url, 'decline')
    await backend.objects('invoice.payment_failed')
    await press(url, 'pay')
    const [paid] = await backend.objects('invoice.paid')
    expect(paid).toMatchObject({ id: json.id, status: 'paid', attempt_count: 2 })
    expect((await press(url, 'pay')).status).toBe(400)
  })

  test('is created through the API', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'post@demo.example' })
    const draft = await stripe.invoices.create({ customer, collection_method: 'send_invoice', days_until_due: 30 })
    await stripe.invoiceItems.create({
      customer,
      invoice: draft.id,
      amount: 1200,
      currency: 'usd',
      description: 'March',
    })
    const open = await stripe.invoices.finalizeInvoice(draft.id)
    expect(open).toMatchObject({ status: 'open', total: 1200, due_date: draft.created + 30 * DAY_SECONDS })
    expect((await stripe.invoices.list({ customer, status: 'open' })).data.map(({ id }) => id)).toEqual([open.id])
    expect(await stripe.invoices.voidInvoice(open.id)).toMatchObject({ status: 'void' })
    await expect(stripe.invoices.pay(open.id)).rejects.toThrow('You can only pay an open invoice')
    expect(await (await fetch(String(open.hosted_invoice_url))).text()).toContain('This invoice was voided')
  })
})

test('all registered event types can be triggered, and no other is sent', async () => {
  const { data } = await stripe.events.list({ limit: 100 })
  const seen = new Set(data.map(({ type }) => type as string))
  expect([...seen].filter((type) => !(PAYMENT_EVENT_TYPES as readonly string[]).includes(type))).toEqual([])
  const id = await subscribed({ subscription_data: { trial_period_days: 5 } })
  await control(`subscriptions/${id}/end-trial-soon`)
  for (const outcome of ['pay', 'action_required', 'finalization_failed', 'decline']) {
    await control(`subscriptions/${id}/renew`, { outcome })
  }
  const invoice = (await stripe.invoices.list({ subscription: id, status: 'open', limit: 1 })).data[0]
  const { charge } = await stripe.invoices.pay(invoice?.id ?? '')
  await control(`charges/${String(charge)}/refund`, { amount: 1 })
  await control(`subscriptions/${id}/pause`)
  await control(`subscriptions/${id}/resume`)
  await control(`subscriptions/${id}/cancel`)
  await press((await checkout()).url, 'pay')
  await backend.objects('checkout.session.completed')
  const listed = await stripe.events.list({ limit: 100 })
  expect(new Set(listed.data.map(({ type }) => type as string))).toEqual(new Set(PAYMENT_EVENT_TYPES))
})

test('the dashboard lists sessions, subscriptions, invoices, charges and deliveries with their buttons', async () => {
  const id = await subscribed()
  const page = await (await fetch(`${sandbox.url}/`, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain(`action="/sandbox/subscriptions/${id}/renew"`)
  for (const part of [
    'Checkout sessions',
    'Invoices',
    'Webhook deliveries',
    'customer.subscription.created',
    'delivered',
  ]) {
    expect(page).toContain(part)
  }
  const pressed = await fetch(`${sandbox.url}/sandbox/subscriptions/${id}/pause`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html' },
  })
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/payments'])
})
