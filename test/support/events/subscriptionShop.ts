import type Stripe from 'stripe'
import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { paymentEventDecider } from '../../../domain/paymentEvent/decider.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import type { Person } from '../harness/backendHarness.ts'
import { type HeldPaymentEvents, holdPaymentEvents } from '../harness/heldPaymentEvents.ts'
import { startPaymentHarness } from '../harness/paymentHarness.ts'
import { startPaymentEventProcessing } from '../parties/paymentEventProcessing.ts'
import { steppedClock } from '../time/steppedClock.ts'
import { until } from '../time/until.ts'
import { collect } from './events.ts'

export type ShopPlan = { readonly id: string; readonly priceMinor: number; readonly credits: number }
export type Subscriber = { readonly companyId: string; readonly person: Person }
export type SubscriptionShop = Awaited<ReturnType<typeof openSubscriptionShop>>

const CREATE_PLAN = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url } }'

/**
 * Three plans for sale, and companies that subscribe to them. The test decides when payment events arrive and when duplicate
 * subscriptions are ended.
 */
export async function openSubscriptionShop() {
  const clock = steppedClock(Date.now())
  const paymentEvents = await holdPaymentEvents()
  const shop = await startPaymentHarness({ clock, paymentEventsPort: paymentEvents.port, reactor: false })
  const { runtime, stripe } = shop
  const { commands, store, database } = runtime.engines
  let stopProcessing = startPaymentEventProcessing(runtime)
  const plans: ShopPlan[] = []
  for (const [name, price, credits] of [
    ['Small', 50, 500],
    ['Middle', 120, 2_000],
    ['Large', 200, 4_000],
  ] as const) {
    const input = { name, price, creditsPerPeriod: credits, billingMode: 'PREPAID', currency: 'usd' }
    plans.push({ id: (await shop.asRoot(CREATE_PLAN, { input })).createPlan.id, priceMinor: price * 100, credits })
  }
  await shop.asRoot('mutation { syncAllPlansProviderPricing { id } }')
  let companies = 0

  const customerOf = async ({ companyId }: Subscriber): Promise<string | null> => {
    const company = await commands.stateOf(companyDecider, streamName('company', companyId))
    return (company.status === 'registered' && company.customerId) || null
  }
  const isProcessed = async (eventId: string): Promise<boolean> => {
    const { status } = await commands.stateOf(paymentEventDecider, streamName('webhook', eventId))
    if (status === 'failed') throw new Error(`payment event ${eventId} failed`)
    return status === 'processed'
  }
  /** Waits until the payment events that were passed on are processed, and the read model shows it. */
  const untilProcessed = async (): Promise<void> => {
    for (const { id } of paymentEvents.passedOn) await until(`payment event ${id} is processed`, () => isProcessed(id))
    const head = await store.head()
    await until('subscriptions are projected', () => hasPassed(database, 'subscriptions', head, clock))
  }
  return {
    ...shop,
    clock,
    paymentEvents,
    plans,
    newSubscriber: async (): Promise<Subscriber> => {
      const companyId = await shop.registerCompany()
      return { companyId, person: await shop.register(`admin@company${++companies}.example`, companyId) }
    },
    openPage: async ({ person }: Subscriber, planId: string): Promise<string> =>
      (await shop.askAs(CHECKOUT, { input: { planId } }, person)).createCheckout.url,
    /** The provider's subscriptions of the company, the earliest first. */
    subscriptionsAtProvider: async (subscriber: Subscriber): Promise<Stripe.Subscription[]> => {
      const customer = await customerOf(subscriber)
      if (customer === null) return []
      const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
      return data.toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1))
    },
    /** The held payment events, once the provider has sent all of them. */
    heldPaymentEvents: async () => {
      await untilSent(stripe, paymentEvents)
      return [...paymentEvents.waiting]
    },
    passOn: (event: (typeof paymentEvents.waiting)[number]) => paymentEvents.passOn(event, shop.url, clock.now()),
    /** Passes on all payment events, and waits until they are processed and the read model shows it. */
    settlePaymentEvents: async (): Promise<void> => {
      await untilSent(stripe, paymentEvents)
      while (paymentEvents.waiting.length > 0) {
        for (const event of [...paymentEvents.waiting]) await paymentEvents.passOn(event, shop.url, clock.now())
        await untilSent(stripe, paymentEvents)
      }
      await untilProcessed()
      paymentEvents.passedOn.length = 0
    },
    untilProcessed,
    restartProcessing: async (): Promise<void> => {
      await stopProcessing()
      stopProcessing = startPaymentEventProcessing(runtime)
    },
    eventsOf: (subscriptionId: string) => collect(store.readStream(streamName('subscription', subscriptionId))),
    close: async () => {
      await stopProcessing()
      await shop.close()
      await paymentEvents.close()
    },
  }
}

/** Waits for the payment events of everything that has happened at the provider. */
async function untilSent(stripe: Stripe, { seen }: HeldPaymentEvents): Promise<void> {
  const { data } = await stripe.events.list({ limit: 100 })
  await until('the payment events are sent', () => data.every(({ id }) => seen.has(id)))
}
