import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { streamName } from '../../contracts/streams.ts'
import { createDuplicateEnding } from '../../services/reactor/endDuplicates.ts'
import { type PaymentHarness, startPaymentHarness } from '../support/harness/paymentHarness.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url } }'
const CREATE = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
const FIELDS = 'id status isActive planId nextPlanId cancelAtPeriodEnd'
const SUBSCRIPTION = `{ subscription { ${FIELDS} } }`
const CHANGE = `mutation ($planId: ID!) { changePlan(planId: $planId) { ${FIELDS} } }`
const CANCEL = `mutation { cancelSubscription { ${FIELDS} } }`
const RESUME = `mutation { resumeSubscription { ${FIELDS} } }`
const HOUR_MS = 3_600_000

const clock = steppedClock(Date.now())
let shop: PaymentHarness
let [small, large] = ['', '']
beforeAll(async () => {
  shop = await startPaymentHarness({ clock })
  const plan = { billingMode: 'PREPAID', currency: 'usd' }
  const create = async (name: string, price: number, creditsPerPeriod: number) =>
    (await shop.asRoot(CREATE, { input: { ...plan, name, price, creditsPerPeriod } })).createPlan.id
  small = await create('Small', 50, 500)
  large = await create('Large', 200, 4000)
  await shop.asRoot('mutation { syncAllPlansProviderPricing { id } }')
})
afterAll(() => shop.close())
afterEach(async () => {
  for (const { id } of (await shop.stripe.subscriptions.list()).data) await shop.stripe.subscriptions.cancel(id)
  await shop.untilSeen('no subscription runs', SUBSCRIPTION, ({ subscription }) => !subscription?.isActive)
  clock.advance(HOUR_MS)
})

const balance = async (): Promise<number> => (await shop.asAdmin('{ creditBalance { credits } }')).creditBalance.credits
const page = async (planId: string): Promise<string> =>
  (await shop.asAdmin(CHECKOUT, { input: { planId } })).createCheckout.url
/** A subscription to the plan, with its credits granted; a new one has a period of a month. */
const subscribed = async (planId: string, credits: number): Promise<string> => {
  const before = await balance()
  await press(await page(planId), 'pay')
  const { subscription } = await shop.untilSeen('it is active', SUBSCRIPTION, (data) => data.subscription?.isActive)
  await until('its credits are there', async () => (await balance()) === before + credits)
  return subscription.id
}
const periodOf = async (id: string) => {
  const { current_period_start: start, current_period_end: end } = await shop.stripe.subscriptions.retrieve(id)
  return { start: start * 1_000, end: end * 1_000 }
}

describe('changePlan', () => {
  test('to a larger plan takes effect at once; the rest of the period is billed, and its credits are granted, in proportion', async () => {
    const id = await subscribed(small, 500)
    const before = await balance()
    const { start, end } = await periodOf(id)
    clock.advance((end - start) / 2 - (clock.now() - start))
    const { changePlan } = await shop.asAdmin(CHANGE, { planId: large })
    expect(changePlan).toMatchObject({ id, planId: large, nextPlanId: null, status: 'ACTIVE' })
    const { data } = await shop.stripe.invoices.list({ subscription: id, limit: 1 })
    expect(data[0]).toMatchObject({ billing_reason: 'subscription_update', total: 7_500, status: 'paid' })
    await until('the credits are there', async () => (await balance()) === before + 4000 / 2 - 500 / 2)
    // The same again changes nothing.
    expect((await shop.asAdmin(CHANGE, { planId: large })).changePlan).toMatchObject({ planId: large })
    expect((await shop.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
  })

  test('to a smaller plan takes effect with the next period, and can be undone', async () => {
    const id = await subscribed(large, 4000)
    const before = await balance()
    const later = (await shop.asAdmin(CHANGE, { planId: small })).changePlan
    expect(later).toMatchObject({ id, planId: large, nextPlanId: small })
    const back = (await shop.asAdmin(CHANGE, { planId: large })).changePlan
    expect(back).toMatchObject({ planId: large, nextPlanId: null })
    expect((await shop.stripe.subscriptions.retrieve(id)).schedule).toBeNull()
    await shop.asAdmin(CHANGE, { planId: small })
    expect((await shop.stripe.invoices.list({ subscription: id })).data).toHaveLength(1)

    clock.advance(HOUR_MS)
    await shop.control(`subscriptions/${id}/renew`, { outcome: 'pay' })
    const renewed = await shop.untilSeen(
      'the plan is in force',
      SUBSCRIPTION,
      (data) => data.subscription.planId === small,
    )
    expect(renewed.subscription).toMatchObject({ id, nextPlanId: null })
    await until('the smaller grant is there', async () => (await balance()) === before + 500)
    // The schedule ends with its last phase; the plan stays.
    clock.advance(HOUR_MS)
    await shop.control(`subscriptions/${id}/renew`, { outcome: 'pay' })
    expect(await shop.stripe.subscriptions.retrieve(id)).toMatchObject({ schedule: null })
    await until('the next grant is there', async () => (await balance()) === before + 1000)
  })

  test('without a subscription is NOT_FOUND, of one that ends is refused, and to an unknown plan is NOT_FOUND', async () => {
    await expect(shop.asAdmin(CHANGE, { planId: large })).rejects.toThrow(
      /NOT_FOUND.*createCheckout|createCheckout.*NOT_FOUND/,
    )
    await subscribed(small, 500)
    await expect(shop.asAdmin(CHANGE, { planId: shop.companyId })).rejects.toThrow(/NOT_FOUND/)
    await shop.asAdmin(CANCEL)
    await expect(shop.asAdmin(CHANGE, { planId: large })).rejects.toThrow(/resumeSubscription/)
  })

  test('twice at the same time takes effect once', async () => {
    const id = await subscribed(small, 500)
    const both = await Promise.allSettled([
      shop.asAdmin(CHANGE, { planId: large }),
      shop.asAdmin(CHANGE, { planId: large }),
    ])
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await shop.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
  })
})

test('resumeSubscription undoes a cancellation, also one that took the place of a smaller plan', async () => {
  const id = await subscribed(large, 4000)
  await shop.asAdmin(CHANGE, { planId: small })
  const ending = (await shop.asAdmin(CANCEL)).cancelSubscription
  expect(ending).toMatchObject({ id, cancelAtPeriodEnd: true, nextPlanId: null })
  const resumed = (await shop.asAdmin(RESUME)).resumeSubscription
  expect(resumed).toMatchObject({ id, cancelAtPeriodEnd: false, status: 'ACTIVE' })
  expect((await shop.stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(false)
})

test('if two checkouts are paid in two tabs, the later subscription is canceled and refunded', async () => {
  const before = await balance()
  const tabs = [await page(small), await page(large)] as const
  await press(tabs[0], 'pay')
  clock.advance(2_000)
  await press(tabs[1], 'pay')
  const LIST = `{ subscriptions { ${FIELDS} } }`
  type Shown = { id: string; status: string; planId: string }
  const { subscriptions } = await shop.untilSeen('the later one has ended', LIST, ({ subscriptions }) => {
    const [later, kept] = subscriptions as Shown[]
    return kept?.planId === small && kept.status === 'ACTIVE' && later?.status === 'CANCELED'
  })
  const [later, kept] = subscriptions as [Shown, Shown]
  expect(later.planId).toBe(large)
  await until('only the first credits are left', async () => (await balance()) === before + 500)
  const { data: running } = await shop.stripe.subscriptions.list()
  expect(running.map(({ id }) => id)).toEqual([kept.id])
  const { store } = shop.runtime.engines
  const ended = await until('the end is recorded', async () => {
    for await (const event of store.readStream(streamName('subscription', later.id))) {
      if (event.type === 'SubscriptionDuplicateEnded') return event.data
    }
    return undefined
  })
  expect(ended).toMatchObject({ keptSubscriptionId: kept.id, refunded: { amountMinor: '20000', currency: 'usd' } })
  // Another reactor, as after a crash, refunds nothing a second time.
  await createDuplicateEnding({ ...shop.runtime, provider: openPaymentProvider(shop.runtime.config) })()
  expect((await shop.stripe.refunds.list()).data).toHaveLength(1)
})
