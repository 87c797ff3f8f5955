import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripeClient } from '../../../test/support/harness/paymentSandboxClient.ts'
import { startTestSandbox, type TestSandbox } from '../../../test/support/harness/sandbox.ts'
import { type SteppedClock, steppedClock } from '../../../test/support/time/steppedClock.ts'

let sandbox: TestSandbox
let stripe: Stripe
let clock: SteppedClock

beforeAll(async () => {
  clock = steppedClock(Date.UTC(2026, 0, 31, 12))
  sandbox = await startTestSandbox({ clock })
  stripe = stripeClient(sandbox.url)
})
afterAll(() => sandbox.close())

const product = (name = 'Pack') => stripe.products.create({ name })
const price = async (params: Partial<Stripe.PriceCreateParams> = {}) =>
  stripe.prices.create({ currency: 'usd', unit_amount: 1000, product: (await product()).id, ...params })

/** The SDK's error for a request that is refused. */
async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (raised: Stripe.errors.StripeError) => raised,
  )
  if (!error) throw new Error('it was not refused')
  const { type, code, param, statusCode, message } = error
  return { type, code, param, statusCode, message }
}

describe('products', () => {
  test('can be created once with an id of the caller', async () => {
    const made = await stripe.products.create({ id: 'pack_7', name: 'Seven', metadata: { packId: '7' } })
    expect(made).toMatchObject({
      id: 'pack_7',
      object: 'product',
      active: true,
      metadata: { packId: '7' },
      livemode: false,
    })
    expect(await stripe.products.retrieve('pack_7')).toEqual(expect.objectContaining({ id: 'pack_7', name: 'Seven' }))
    expect(await refusal(stripe.products.create({ id: 'pack_7', name: 'Again' }))).toMatchObject({
      code: 'resource_already_exists',
      statusCode: 400,
    })
  })

  test('are updated field by field, their metadata key by key', async () => {
    const { id } = await stripe.products.create({ name: 'A', description: 'old', metadata: { keep: '1', drop: '2' } })
    const after = await stripe.products.update(id, { active: false, description: '', metadata: { drop: '', add: '3' } })
    expect(after).toMatchObject({ name: 'A', active: false, description: null, metadata: { keep: '1', add: '3' } })
    expect(after.metadata).not.toHaveProperty('drop')
  })

  test('get an id in the format of the real provider', async () => {
    expect((await product()).id).toMatch(/^prod_[0-9A-Za-z]{24}$/)
  })
})

describe('prices', () => {
  test('can be one-time or recurring', async () => {
    expect(await price()).toMatchObject({
      type: 'one_time',
      recurring: null,
      unit_amount: 1000,
      unit_amount_decimal: '1000',
    })
    expect(await price({ recurring: { interval: 'month', interval_count: 3 } })).toMatchObject({
      id: expect.stringMatching(/^price_/),
      type: 'recurring',
      recurring: { interval: 'month', interval_count: 3 },
    })
  })

  test('are found by their lookup key, which only one price has at a time', async () => {
    const first = await price({ lookup_key: 'plan:a' })
    const found = async () => (await stripe.prices.list({ lookup_keys: ['plan:a', 'other'] })).data.map(({ id }) => id)
    expect(await found()).toEqual([first.id])
    expect(await refusal(price({ lookup_key: 'plan:a' }))).toMatchObject({
      param: 'lookup_key',
      message: `A price (\`${first.id}\`) already uses that lookup key.`,
    })
    const second = await price({ lookup_key: 'plan:a', transfer_lookup_key: true })
    expect(await found()).toEqual([second.id])
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull()
  })

  test('are refused for an unknown product', async () => {
    expect(await refusal(price({ product: 'prod_gone' }))).toEqual({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      param: 'product',
      statusCode: 400,
      message: "No such product: 'prod_gone'",
    })
    expect(await refusal(stripe.prices.retrieve('price_gone'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      message: "No such price: 'price_gone'",
    })
  })

  test('are listed in pages, newest first, with filters', async () => {
    const { id } = await product()
    const made: string[] = []
    for (let n = 0; n < 5; n++) made.unshift((await price({ product: id, unit_amount: n })).id)
    const first = await stripe.prices.list({ product: id, limit: 2 })
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/prices' })
    const all: string[] = []
    for await (const one of stripe.prices.list({ product: id, limit: 2 })) all.push(one.id)
    expect(all).toEqual(made)
    const before = await stripe.prices.list({ product: id, limit: 2, ending_before: made[3] as string })
    expect(before.data.map((one) => one.id)).toEqual(made.slice(1, 3))
    expect((await stripe.prices.list({ product: id, type: 'recurring' })).data).toEqual([])
  })

  test('contain their product if it is expanded', async () => {
    const { id } = await price()
    const shown = await stripe.prices.retrieve(id, { expand: ['product'] })
    expect(shown.product).toMatchObject({ object: 'product', name: 'Pack' })
    const listed = await stripe.prices.list({ limit: 1, expand: ['data.product'] })
    expect(listed.data[0]?.product).toMatchObject({ object: 'product' })
    expect(await refusal(stripe.prices.retrieve(id, { expand: ['currency'] }))).toMatchObject({
      message: 'This property cannot be expanded (currency).',
    })
  })
})

test('customers are created, updated and found by email', async () => {
  const { id } = await stripe.customers.create({ email: 'a@demo.example', metadata: { companyId: 'c1' } })
  await stripe.customers.update(id, { name: 'Ada & Söhne' })
  expect(await stripe.customers.retrieve(id)).toMatchObject({ name: 'Ada & Söhne', metadata: { companyId: 'c1' } })
  expect((await stripe.customers.list({ email: 'a@demo.example' })).data.map((one) => one.id)).toEqual([id])
  expect((await stripe.customers.list({ email: 'b@demo.example' })).data).toEqual([])
})

describe('a checkout session', () => {
  const open = (params: Partial<Stripe.Checkout.SessionCreateParams>) =>
    stripe.checkout.sessions.create({ mode: 'payment', success_url: 'http://shop.example/ok', ...params })

  test("is refused for an unknown price with the provider's message", async () => {
    expect(await refusal(open({ line_items: [{ price: 'price_x', quantity: 1 }] }))).toEqual({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      param: 'line_items[0][price]',
      statusCode: 400,
      message: "No such price: 'price_x'",
    })
  })

  test('contains its parameters, and its line items if they are expanded', async () => {
    const { id: priceId } = await price()
    const session = await open({
      line_items: [{ price: priceId, quantity: 3 }],
      success_url: 'http://shop.example/ok?session={CHECKOUT_SESSION_ID}',
      client_reference_id: 'ref',
      metadata: { companyId: 'c', purchaseId: 'p' },
      expand: ['line_items'],
    })
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_test_/),
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 3000,
      currency: 'usd',
      client_reference_id: 'ref',
      metadata: { companyId: 'c', purchaseId: 'p' },
      payment_intent: null,
      url: `${sandbox.url}/checkout/${session.id}`,
      success_url: `http://shop.example/ok?session=${session.id}`,
      line_items: { data: [{ quantity: 3, amount_total: 3000, description: 'Pack', price: { id: priceId } }] },
    })
    expect((await stripe.checkout.sessions.listLineItems(session.id)).data).toHaveLength(1)
    expect(await stripe.checkout.sessions.retrieve(session.id)).not.toHaveProperty('line_items')
  })

  test.each([
    ['a recurring price paid once', { mode: 'payment' }, true, /`payment` mode but passed a recurring price/],
    ['nothing that recurs as a subscription', { mode: 'subscription' }, false, /at least one recurring price/],
    [
      'terms of a subscription for one payment',
      { subscription_data: { trial_period_days: 3 } },
      false,
      /can not pass `subscription_data`/,
    ],
    ['two buyers', { customer: 'c', customer_email: 'a@b.example' }, false, /only specify one of these/],
    ['a buyer who is not there', { customer: 'cus_gone' }, false, /No such customer: 'cus_gone'/],
    ['an address that is none', { success_url: 'shop' }, false, /Invalid success_url/],
    ['an address that is a script', { success_url: 'javascript:alert(1)' }, false, /Invalid success_url/],
  ])('is refused for %s', async (_, params, recurs, message) => {
    const { id } = await price(recurs ? { recurring: { interval: 'month' } } : {})
    const call = open({ line_items: [{ price: id, quantity: 1 }], ...(params as object) })
    expect((await refusal(call)).message).toMatch(message)
  })

  test('expires over time or on request, and its page is then gone', async () => {
    const { id: priceId } = await price()
    const make = () => open({ line_items: [{ price: priceId, quantity: 1 }] })
    const { id } = await make()
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null })
    const late = await make()
    clock.advance(24 * 60 * 60 * 1000)
    expect(await stripe.checkout.sessions.retrieve(late.id)).toMatchObject({ status: 'expired', url: null })
    expect((await refusal(stripe.checkout.sessions.expire(late.id))).message).toMatch(/status of `expired`/)
  })
})

describe('an idempotency key', () => {
  test('repeats the first answer and creates nothing twice', async () => {
    const make = (name: string) => stripe.products.create({ name }, { idempotencyKey: 'key-1' })
    const first = await make('Once')
    const again = await make('Once')
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(await refusal(make('Another'))).toMatchObject({
      type: 'StripeIdempotencyError',
      message: expect.stringContaining("Try using a key other than 'key-1'"),
    })
  })

  test('expires after a day', async () => {
    const make = () => stripe.products.create({ name: 'Daily' }, { idempotencyKey: 'key-2' })
    const { id } = await make()
    clock.advance(24 * 60 * 60 * 1000 - 1)
    expect((await make()).id).toBe(id)
    clock.advance(1)
    expect((await make()).id).not.toBe(id)
  })

  test('repeats an error too, unless the parameters were invalid', async () => {
    const idempotencyKey = 'key-3'
    const make = () => stripe.products.create({ id: 'prod_taken', name: 'x' }, { idempotencyKey })
    await stripe.products.create({ id: 'prod_taken', name: 'x' })
    expect((await refusal(make())).code).toBe('resource_already_exists')
    expect((await refusal(make())).code).toBe('resource_already_exists')
    const wrong = { name: 'x', colour: 'red' } as Stripe.ProductCreateParams
    expect(await refusal(stripe.products.create(wrong, { idempotencyKey: 'key-4' }))).toMatchObject({
      code: 'parameter_unknown',
      param: 'colour',
      message: 'Received unknown parameter: colour',
    })
    expect((await stripe.products.create({ name: 'x' }, { idempotencyKey: 'key-4' })).id).toMatch(/^prod_/)
  })
})

describe('a request', () => {
  const ask = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}${path}`, init)
  const authorization = 'Bearer sk_test_x'

  test.each([
    ['without a key', {}, 401],
    ['with a key of another kind', { authorization: 'Bearer pk_test_x' }, 401],
    ['with a live key', { authorization: 'Bearer sk_live_x' }, 401],
    ['of another version', { authorization, 'stripe-version': '2020-08-27' }, 400],
    ['of the right one', { authorization, 'stripe-version': '2023-10-16' }, 200],
  ])('%s is answered with the documented status', async (_, headers, status) => {
    const answer = await ask('/v1/products', { headers: headers as Record<string, string> })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('server')).toBe('tollgate-sandbox')
    if (status !== 200) {
      expect(await answer.json()).toEqual({ error: expect.objectContaining({ type: 'invalid_request_error' }) })
    }
  })

  test("for an unknown URL is refused in the provider's error envelope", async () => {
    const headers = { authorization }
    expect((await ask('/v1/balance', { headers })).status).toBe(404)
    const post = (body: string) => ask('/v1/prices', { method: 'POST', headers, body })
    const errorTo = async (body: string) => ((await (await post(body)).json()) as { error: object }).error
    expect(await errorTo('currency=usd&unit_amount=ten&product=x')).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'unit_amount',
      message: 'Invalid integer: ten',
    })
    expect(await errorTo('unit_amount=1')).toMatchObject({ code: 'parameter_missing', param: 'currency' })
    expect((await post(`a=${'x'.repeat(300_000)}`)).status).toBe(413)
    expect((await post('a[b][c][d][e][f][g][h][i][j][k]=1')).status).toBe(400)
    expect((await post('__proto__[admin]=1')).status).toBe(400)
  })
})
