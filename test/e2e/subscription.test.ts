import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planOffer } from '../../capabilities/payments/offers.ts'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { openSavedPayments } from '../../capabilities/payments/savedPayments.ts'
import { streamName } from '../../contracts/streams.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { packById } from '../../projections/creditPacks/queries.ts'
import { planById } from '../../projections/plans/queries.ts'
import { createPurchaseEnding } from '../../services/reactor/endPurchases.ts'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const PLAN = 'id name active billingMode providerProductId providerPriceId needsProviderPricing updatedAt'
const SYNC = `mutation { syncAllPlansProviderPricing { ${PLAN} } }`
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { id url purchaseId } }'
const SUBSCRIPTION = `{ subscription { id status isActive planId providerSubscriptionId startDate endDate
  cancelAtPeriodEnd currentPeriodEnd updatedAt } }`
const INVOICES = '{ invoices { id status amount overdue dueDate paidAt } }'
const HOUR_MS = 3_600_000

const clock = steppedClock(Date.now())
let shop: PaymentHarness
beforeAll(async () => {
  shop = await startPaymentHarness({ clock })
})
afterAll(() => shop.close())

type Plan = { id: string; providerProductId: string | null; providerPriceId: string | null }
const createPlan = async (changes: object = {}): Promise<Plan> => {
  const input = { name: 'Team', billingMode: 'PREPAID', price: 49, currency: 'usd', creditsPerPeriod: 500, ...changes }
  const mutation = `mutation ($input: CreatePlanInput!) { createPlan(input: $input) { ${PLAN} } }`
  return (await shop.asRoot(mutation, { input })).createPlan
}
const sync = async (): Promise<Plan[]> => (await shop.asRoot(SYNC)).syncAllPlansProviderPricing
const planOf = (plans: readonly Plan[], { id }: Plan) => plans.find((plan) => plan.id === id)
const balance = async (): Promise<number> => (await shop.asAdmin('{ creditBalance { credits } }')).creditBalance.credits

describe('syncing the prices of plans', () => {
  test('creates them for active plans without one, not for POSTPAID or retired ones, and changes nothing the second time', async () => {
    const [team, postpaid, retired] = [
      await createPlan(),
      await createPlan({ billingMode: 'POSTPAID' }),
      await createPlan(),
    ]
    expect(team).toMatchObject({ needsProviderPricing: true, providerPriceId: null, active: true })
    expect(postpaid).toMatchObject({ needsProviderPricing: false })
    await retire(retired)
    const first = await sync()
    expect(planOf(first, team)).toMatchObject({
      providerProductId: `tollgate_plan_${team.id}`,
      providerPriceId: expect.stringMatching(/^price_/),
      needsProviderPricing: false,
    })
    for (const plan of [postpaid, retired]) expect(planOf(first, plan)?.providerPriceId).toBeNull()
    const price = await shop.stripe.prices.retrieve(planOf(first, team)?.providerPriceId ?? '')
    expect(price).toMatchObject({ unit_amount: 4900, currency: 'usd', recurring: { interval: 'month' } })

    clock.advance(1_000)
    const head = await shop.runtime.engines.store.head()
    expect(await sync()).toEqual(first)
    expect(await shop.runtime.engines.store.head()).toBe(head)
  })

  test('after a crash between the provider and the event creates no second product, however late', async () => {
    const plan = await createPlan()
    const row = await planById(shop.runtime.engines.database, plan.id)
    if (!row) throw new Error('the plan is in the read model')
    // All that a process does before it dies; and a day later the provider has forgotten the idempotency keys.
    const lost = await openPaymentProvider(shop.runtime.config).ensureOffer(planOffer(row))
    clock.advance(25 * HOUR_MS)
    expect(planOf(await sync(), plan)).toMatchObject({
      providerProductId: lost.productId,
      providerPriceId: lost.priceId,
    })
    const products = await shop.stripe.products.list({ ids: [`tollgate_plan_${plan.id}`] })
    expect(products.data).toHaveLength(1)
    expect((await shop.stripe.prices.list({ product: lost.productId })).data).toHaveLength(1)
  })

  const retire = async ({ id }: Plan) => {
    const { retirePlan } = await shop.asRoot('mutation ($id: ID!) { retirePlan(id: $id) { id active } }', { id })
    expect(retirePlan).toEqual({ id, active: false })
    await expect(shop.asAdmin(CHECKOUT, { input: { planId: id } })).rejects.toThrow(/NOT_FOUND/)
  }
})

test('a subscription: paid for, renewed, in arrears, canceled', async () => {
  const plan = await createPlan({ creditsPerPeriod: 500.25 })
  await sync()
  const { createCheckout } = await shop.asAdmin(CHECKOUT, { input: { planId: plan.id } })
  expect(createCheckout.purchaseId).toBeNull()
  const before = await balance()
  await press(createCheckout.url, 'pay')
  const begun = await shop.untilSeen('it is active', SUBSCRIPTION, ({ subscription }) => subscription?.isActive)
  expect(begun.subscription).toMatchObject({ status: 'ACTIVE', planId: plan.id, cancelAtPeriodEnd: false })
  await until('its credits are there', async () => (await balance()) === before + 500.25)
  const { id } = begun.subscription
  const second = shop.asAdmin(CHECKOUT, { input: { planId: plan.id } })
  await expect(second).rejects.toThrow(/changePlan.*BAD_USER_INPUT/)

  clock.advance(HOUR_MS)
  await shop.control(`subscriptions/${id}/announce`)
  const announced = await shop.untilSeen('the renewal is announced', INVOICES, ({ invoices }) => invoices.length === 2)
  expect(announced.invoices).toMatchObject([{ status: 'UPCOMING', amount: 49 }, { status: 'PAID' }])

  clock.advance(HOUR_MS)
  await shop.control(`subscriptions/${id}/renew`, { outcome: 'pay' })
  await until('the next credits are there', async () => (await balance()) === before + 1000.5)
  const renewed = await shop.untilSeen('the renewal is billed', INVOICES, ({ invoices }) =>
    invoices.every(({ status }: { status: string }) => status === 'PAID'),
  )
  expect(renewed.invoices).toMatchObject([{ status: 'PAID' }, { status: 'PAID' }])

  clock.advance(HOUR_MS)
  await shop.control(`subscriptions/${id}/renew`, { outcome: 'decline' })
  await shop.untilSeen('it is in arrears', SUBSCRIPTION, ({ subscription }) => subscription.status === 'PAST_DUE')
  type Invoice = { id: string; status: string; overdue: boolean }
  const { invoices } = await shop.untilSeen('the failure is seen', INVOICES, ({ invoices }) =>
    invoices.some(({ status }: Invoice) => status === 'PAYMENT_FAILED'),
  )
  const owed = invoices.find(({ status }: Invoice) => status === 'PAYMENT_FAILED')
  expect(owed).toMatchObject({ amount: 49, overdue: true })
  expect(await balance()).toBe(before + 1000.5)

  clock.advance(HOUR_MS)
  await shop.control(`invoices/${owed.id}/pay`)
  await shop.untilSeen('it is active again', SUBSCRIPTION, ({ subscription }) => subscription.status === 'ACTIVE')
  await until('the late credits are there', async () => (await balance()) === before + 1500.75)

  clock.advance(HOUR_MS)
  const { cancelSubscription } = await shop.asAdmin('mutation { cancelSubscription { id status cancelAtPeriodEnd } }')
  expect(cancelSubscription).toEqual({ id, status: 'ACTIVE', cancelAtPeriodEnd: true })
  clock.advance(HOUR_MS)
  await shop.control(`subscriptions/${id}/cancel`)
  const over = await shop.untilSeen(
    'it is over',
    SUBSCRIPTION,
    ({ subscription }) => subscription.status === 'CANCELED',
  )
  expect(over.subscription).toMatchObject({ isActive: false, endDate: expect.any(String) })
  await expect(shop.asAdmin('mutation { cancelSubscription { id } }')).rejects.toThrow(/NOT_FOUND/)
})

test('stale subscriptions are listed, and deactivated on request', async () => {
  const plan = await createPlan()
  await sync()
  const { createCheckout } = await shop.asAdmin(CHECKOUT, { input: { planId: plan.id } })
  await press(createCheckout.url, 'pay')
  const { subscription } = await shop.untilSeen('it is active', SUBSCRIPTION, (data) => data.subscription?.isActive)
  // A payment event that is processed after the clock has moved may ask the provider, whose answer is then news of that time.
  await shop.paymentEventsProcessed()
  clock.advance(48 * HOUR_MS)
  const mutation = `mutation ($before: DateTime!, $dryRun: Boolean) {
    deactivateStaleSubscriptions(before: $before, dryRun: $dryRun) { id status isActive endDate updatedAt } }`
  const before = isoTime(clock.now() - HOUR_MS)
  const shown = await shop.asRoot(mutation, { before })
  expect(shown.deactivateStaleSubscriptions).toMatchObject([{ id: subscription.id, status: 'ACTIVE' }])
  expect((await shop.asAdmin(SUBSCRIPTION)).subscription.status).toBe('ACTIVE')
  const longAgo = { before: isoTime(clock.now() - 72 * HOUR_MS), dryRun: false }
  expect((await shop.asRoot(mutation, longAgo)).deactivateStaleSubscriptions).toEqual([])
  const at = isoTime(clock.now())
  const done = await shop.asRoot(mutation, { before, dryRun: false })
  expect(done.deactivateStaleSubscriptions).toEqual([
    { id: subscription.id, status: 'CANCELED', isActive: false, endDate: at, updatedAt: at },
  ])
  expect((await shop.asAdmin(SUBSCRIPTION)).subscription).toMatchObject({ status: 'CANCELED', updatedAt: at })
})

describe('a purchase whose checkout session has expired', () => {
  const PURCHASES = '{ purchases { id status failureReason expiresAt completedAt } }'
  type Purchase = { id: string; status: string; failureReason: string | null; expiresAt: string }
  const pack = { name: 'Starter', credits: 100.5, price: 10, currency: 'usd', sortOrder: 1 }

  test('failed if a card was declined, expired if nobody paid, and is completed if the event of its payment was lost', async () => {
    const create = 'mutation ($input: CreateCreditPackInput!) { createCreditPack(input: $input) { id } }'
    const { id: packId } = (await shop.asRoot(create, { input: pack })).createCreditPack
    const checkout = async () => (await shop.asAdmin(CHECKOUT, { input: { packId } })).createCheckout
    const [declined, untouched, unreported] = [await checkout(), await checkout(), await unreportedPurchase(packId)]
    await press(declined.url, 'decline')
    await press(unreported.url, 'pay')
    const ids = [declined.purchaseId, untouched.purchaseId, unreported.purchaseId]
    const seen = ({ purchases }: { purchases: Purchase[] }) => ids.map((id) => purchases.find((one) => one.id === id))
    const before = await balance()
    await shop.untilSeen('all three are listed', PURCHASES, (data) => seen(data).every((one) => one !== undefined))
    clock.advance(23 * HOUR_MS)
    expect(seen(await shop.asAdmin(PURCHASES)).map((one) => one?.status)).toEqual(['PENDING', 'PENDING', 'PENDING'])
    clock.advance(2 * HOUR_MS)
    const ended = await shop.untilSeen('they have ended', PURCHASES, (data) =>
      seen(data).every((one) => one?.status !== 'PENDING'),
    )
    expect(seen(ended)).toMatchObject([
      { status: 'FAILED', failureReason: 'Your card was declined.' },
      { status: 'EXPIRED', failureReason: null },
      { status: 'COMPLETED', failureReason: null },
    ])
    await until('the credits are there', async () => (await balance()) === before + 100.5)
    // Another reactor, as after a crash, books nothing a second time.
    await createPurchaseEnding({
      ...shop.runtime,
      provider: openPaymentProvider(shop.runtime.config),
      savedPayments: openSavedPayments(shop.runtime.config),
    })()
    const grants = '{ creditTransactions(type: PACK_PURCHASE) { nodes { description } } }'
    const { nodes } = (await shop.asAdmin(grants)).creditTransactions
    expect(
      nodes.filter((one: { description: string }) => one.description.includes(unreported.purchaseId)),
    ).toHaveLength(1)
  })

  /** A purchase that the provider's events do not name, so that only its session shows the payment. */
  const unreportedPurchase = async (packId: string) => {
    const purchaseId = randomUUID()
    const { stripe, runtime, companyId, admin } = shop
    const row = await packById(runtime.engines.database, packId)
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price: row?.providerPriceId ?? '', quantity: 1 }],
    })
    const offer = { packId, creditsMicros: '100500000', price: '10', currency: 'usd', sessionId: session.id }
    const times = { expiresAt: isoTime(session.expires_at * 1_000), at: isoTime(clock.now()) }
    const start = { type: 'StartPurchase', purchaseId, companyId, userId: admin.userId, ...offer, ...times } as const
    const context = { commandId: randomUUID(), correlationId: 'test', actor: { kind: 'system', name: 'test' } } as const
    await runtime.engines.commands.handle(purchaseDecider, streamName('purchase', purchaseId), start, context)
    return { url: session.url ?? '', purchaseId }
  }
})

test('a POSTPAID company with an overdue invoice is refused until it pays', async () => {
  const companyId = await shop.registerCompany({ billingMode: 'POSTPAID' })
  const { raw: key } = await shop.mintKey(companyId)
  const status = async () => (await call(shop.gatewayUrl, CHAT, { key, body: chatBody() })).status
  expect(await status()).toBe(200)
  // The provider's invoice names no company; its customer does.
  const customer = await shop.stripe.customers.create({ metadata: { companyId } })
  const dueAtSeconds = Math.floor(clock.now() / 1_000) + 3_600
  const invoice = await shop.control('invoices', {
    amount: 12_345,
    customer: customer.id,
    due_date: String(dueAtSeconds),
  })
  const { store } = shop.runtime.engines
  await until('the invoice is known', async () => {
    for await (const _ of store.readStream(streamName('invoice', String(invoice.id)))) return true
    return false
  })
  expect(await status()).toBe(200)
  clock.advance(2 * HOUR_MS)
  await until('it is blocked', async () => (await status()) === 403)
  await shop.control(`invoices/${invoice.id}/pay`)
  await until('it is released', async () => (await status()) === 200)
})
