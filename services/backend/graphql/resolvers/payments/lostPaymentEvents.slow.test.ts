import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openSubscriptionShop,
  type Subscriber,
  type SubscriptionShop,
} from '../../../../../test/support/events/subscriptionShop.ts'
import { press } from '../../../../../test/support/harness/paymentSandboxClient.ts'

const FIELDS = 'id status planId nextPlanId cancelAtPeriodEnd'
const CHANGE = `mutation ($planId: ID!) { changePlan(planId: $planId) { ${FIELDS} } }`
const CANCEL = `mutation { cancelSubscription { ${FIELDS} } }`
const RESUME = `mutation { resumeSubscription { ${FIELDS} } }`
const SUBSCRIPTION = `{ subscription { ${FIELDS} } }`

let shop: SubscriptionShop
beforeAll(async () => {
  shop = await openSubscriptionShop()
})
afterAll(() => shop.close())

const plan = (n: number): string => shop.plans[n]?.id ?? ''
/** A company with a subscription whose payment events have arrived; those that follow are held back. */
async function subscribed(n: number): Promise<{ subscriber: Subscriber; id: string }> {
  const subscriber = await shop.newSubscriber()
  await press(await shop.openPage(subscriber, plan(n)), 'pay')
  await shop.settlePaymentEvents()
  const { subscription } = await shop.askAs(SUBSCRIPTION, {}, subscriber.person)
  expect(subscription).toMatchObject({ status: 'ACTIVE', planId: plan(n) })
  return { subscriber, id: subscription.id }
}

test.each([
  ['changePlan', () => shop.askAs(CHANGE, { planId: plan(1) }, current.person), /createCheckout/],
  ['cancelSubscription', () => shop.askAs(CANCEL, {}, current.person), /to cancel/],
  ['resumeSubscription', () => shop.askAs(RESUME, {}, current.person), /createCheckout/],
])('%s of a subscription whose end was not reported is NOT_FOUND, and it shows as ended', async (_, ask, hint) => {
  const { subscriber } = await ended()
  current = subscriber
  await expect(ask()).rejects.toThrow(hint)
  await expect(ask()).rejects.toThrow(/NOT_FOUND/)
  const { subscription } = await shop.askAs(SUBSCRIPTION, {}, subscriber.person)
  expect(subscription.status).toBe('CANCELED')
})

test('a company can subscribe again although the end of its subscription was not reported', async () => {
  const { subscriber, id } = await ended()
  await press(await shop.openPage(subscriber, plan(1)), 'pay')
  await shop.settlePaymentEvents()
  const { subscription } = await shop.askAs(SUBSCRIPTION, {}, subscriber.person)
  expect(subscription).toMatchObject({ status: 'ACTIVE', planId: plan(1) })
  expect(subscription.id).not.toBe(id)
})

test('changePlan to the plan that the provider has already shows it, although its report is late', async () => {
  const { subscriber, id } = await subscribed(0)
  const { data } = await shop.stripe.prices.list({ product: `tollgate_plan_${plan(2)}` })
  const item = (await shop.stripe.subscriptions.retrieve(id)).items.data[0]
  await shop.stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: data[0]?.id ?? '' }] })
  const { changePlan } = await shop.askAs(CHANGE, { planId: plan(2) }, subscriber.person)
  expect(changePlan).toMatchObject({ planId: plan(2), nextPlanId: null })
})

test('a scheduled plan that was dropped at the provider is dropped here by changePlan to the current one', async () => {
  const { subscriber, id } = await subscribed(2)
  const later = (await shop.askAs(CHANGE, { planId: plan(0) }, subscriber.person)).changePlan
  expect(later).toMatchObject({ planId: plan(2), nextPlanId: plan(0) })
  const { schedule } = await shop.stripe.subscriptions.retrieve(id)
  await shop.stripe.subscriptionSchedules.release(String(schedule))
  const kept = (await shop.askAs(CHANGE, { planId: plan(2) }, subscriber.person)).changePlan
  expect(kept).toMatchObject({ planId: plan(2), nextPlanId: null })
})

test('an upgrade replaces a scheduled smaller plan, and a second click changes nothing', async () => {
  const { subscriber, id } = await subscribed(1)
  await shop.askAs(CHANGE, { planId: plan(0) }, subscriber.person)
  const up = (await shop.askAs(CHANGE, { planId: plan(2) }, subscriber.person)).changePlan
  expect(up).toMatchObject({ planId: plan(2), nextPlanId: null })
  await shop.askAs(CHANGE, { planId: plan(2) }, subscriber.person)
  expect((await shop.stripe.subscriptions.retrieve(id)).schedule).toBeNull()
  expect((await shop.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
})

let current: Subscriber

/** Canceled and past its period, but the payment event about it was lost. */
async function ended() {
  const begun = await subscribed(0)
  await shop.askAs(CANCEL, {}, begun.subscriber.person)
  await shop.settlePaymentEvents()
  shop.clock.advance(60_000)
  await shop.control(`subscriptions/${begun.id}/renew`, { outcome: 'pay' })
  const { subscription } = await shop.askAs(SUBSCRIPTION, {}, begun.subscriber.person)
  expect(subscription).toMatchObject({ id: begun.id, status: 'ACTIVE', cancelAtPeriodEnd: true })
  return begun
}
