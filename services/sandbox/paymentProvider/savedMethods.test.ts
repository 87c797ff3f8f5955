import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LaterPayment, SavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import { press, stripeClient } from '../../../test/support/harness/paymentSandboxClient.ts'
import { startTestSandbox, type TestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
let payments: SavedPayments
let customer: string
let methodId: string
let count = 0

beforeAll(async () => {
  sandbox = await startTestSandbox()
  stripe = stripeClient(sandbox.url)
  payments = new SavedPayments(stripe)
  customer = (await stripe.customers.create({ email: 'a@example.com' })).id
  const { intent } = await bought({ setup_future_usage: 'off_session' })
  const saved = await payments.methodOf(intent)
  methodId = saved?.methodId ?? ''
})
afterAll(() => sandbox.close())

async function bought(payment_intent_data: Stripe.Checkout.SessionCreateParams.PaymentIntentData) {
  const product = await stripe.products.create({ name: 'Pack' })
  const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1000 })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://shop.example/thanks',
    payment_intent_data,
  })
  await press(session.url ?? '', 'pay')
  const { payment_intent } = await stripe.checkout.sessions.retrieve(session.id)
  return { intent: String(payment_intent) }
}

async function bankWill(outcome: 'pay' | 'decline' | 'confirm') {
  const answer = await fetch(`${sandbox.url}/sandbox/payment_methods/${methodId}/outcome`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome }),
  })
  expect(answer.status).toBe(200)
}

const payment = (changes: Partial<LaterPayment> = {}): LaterPayment => ({
  attemptId: `attempt-${++count}`,
  companyId: 'c1',
  userId: 'u1',
  purchaseId: 'p1',
  customerId: customer,
  methodId,
  amountMinor: '2500',
  currency: 'usd',
  startedAt: new Date().toISOString(),
  returnUrl: 'http://shop.example/back',
  ...changes,
})
const intents = async () => (await stripe.paymentIntents.list({ customer, limit: 100 })).data

test('a checkout saves the method only if the buyer agreed', async () => {
  const { intent } = await bought({})
  expect(await payments.methodOf(intent)).toBeNull()
  expect(methodId).toMatch(/^pm_/)
})

test('an attempt that is repeated is one payment, and is found by its metadata', async () => {
  await bankWill('pay')
  const one = payment()
  const before = (await intents()).length
  const paid = await payments.pay(one)
  expect(paid).toMatchObject({ status: 'succeeded', paidMinor: '2500', currency: 'usd' })
  expect(await payments.pay(one)).toEqual(paid)
  expect(await payments.find(one)).toEqual(paid)
  expect(await intents()).toHaveLength(before + 1)
  expect(await payments.find(payment())).toBeNull()
  const { data } = await stripe.charges.list({
    payment_intent: 'paymentIntentId' in paid ? String(paid.paymentIntentId) : '',
  })
  expect(data).toMatchObject([{ amount: 2500, metadata: { purchaseId: 'p1', topUpAttemptId: one.attemptId } }])
})

test('a declined card, a removed method and another customer are declines with their reason', async () => {
  await bankWill('decline')
  const one = payment()
  const declined = await payments.pay(one)
  expect(declined).toMatchObject({ status: 'declined', reason: 'Your card was declined.' })
  expect(await payments.pay(one)).toEqual(declined)
  expect(await payments.find(one)).toEqual(declined)
  expect(await payments.pay(payment({ methodId: 'pm_gone' }))).toMatchObject({
    status: 'declined',
    paymentIntentId: null,
    reason: "No such payment_method: 'pm_gone'",
  })
})

test('a method that was removed cannot be charged any more, and can be removed again', async () => {
  const { intent } = await bought({ setup_future_usage: 'off_session' })
  const method = await payments.methodOf(intent)
  if (!method) throw new Error('the method was not saved')
  expect(await payments.pay(payment(method))).toMatchObject({ status: 'succeeded' })
  await payments.remove(method.methodId)
  await payments.remove(method.methodId)
  await payments.remove('pm_gone')
  expect(await payments.pay(payment(method))).toMatchObject({ status: 'declined', paymentIntentId: null })
  expect((await stripe.paymentMethods.retrieve(method.methodId)).customer).toBeNull()
})

test('a bank that wants a confirmation gives a page, on which the payment is confirmed once', async () => {
  await bankWill('confirm')
  const one = payment()
  const asked = await payments.pay(one)
  if (asked.status !== 'needs confirmation') throw new Error(asked.status)
  expect(await payments.pay(one)).toEqual(asked)
  expect(asked.url).toBe(`${sandbox.url}/confirm/${asked.paymentIntentId}`)
  expect(await (await fetch(asked.url ?? '')).text()).toContain('Your bank asks you to confirm it.')
  await press(asked.url ?? '', 'pay')
  await press(asked.url ?? '', 'pay')
  const paid = await payments.outcome(asked.paymentIntentId)
  expect(paid).toMatchObject({ status: 'succeeded', paidMinor: '2500' })
  expect(await payments.cancel(asked.paymentIntentId)).toEqual(paid)
  expect(await payments.pay(one)).toEqual(paid)
  expect((await stripe.charges.list({ payment_intent: asked.paymentIntentId })).data).toHaveLength(1)
})

test('a confirmation that the holder refuses is a decline, and one that is canceled cannot be given any more', async () => {
  await bankWill('confirm')
  const [refused, canceled] = [await payments.pay(payment()), await payments.pay(payment())]
  if (refused.status !== 'needs confirmation' || canceled.status !== 'needs confirmation') throw new Error('not asked')
  await press(refused.url ?? '', 'decline')
  expect(await payments.outcome(refused.paymentIntentId)).toMatchObject({
    status: 'declined',
    reason: 'The provided PaymentMethod has failed authentication.',
  })
  expect(await payments.cancel(canceled.paymentIntentId)).toMatchObject({ status: 'canceled' })
  await press(canceled.url ?? '', 'pay')
  expect(await payments.outcome(canceled.paymentIntentId)).toMatchObject({ status: 'canceled' })
})
