import type Stripe from 'stripe'
import { streamName } from '../../../contracts/streams.ts'
import { companyDecider } from '../../../domain/company/decider.ts'
import { webhookDecider } from '../../../domain/webhook/decider.ts'
import { hasPassed } from '../../../projections/runner/readAfterWrite.ts'
import type { Person } from '../harness/backendHarness.ts'
import { type HeldWebhooks, holdWebhooks } from '../harness/heldWebhooks.ts'
import { startPaymentHarness } from '../harness/paymentHarness.ts'
import { startWebhookProcessing } from '../parties/webhookProcessing.ts'
import { steppedClock } from '../time/steppedClock.ts'
import { until } from '../time/until.ts'
import { collect } from './events.ts'

export type ShopPlan = { readonly id: string; readonly priceMinor: number; readonly credits: number }
export type Subscriber = { readonly companyId: string; readonly person: Person }
export type SubscriptionShop = Awaited<ReturnType<typeof openSubscriptionShop>>

const CREATE_PLAN = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }'
const CHECKOUT = 'mutation ($input: CreateCheckoutInput!) { createCheckout(input: $input) { url } }'

/**
 * Three plans for sale, and companies that subscribe to them. Webhooks arrive when the test passes them on; second
 * subscriptions are ended when it says so.
 */
export async function openSubscriptionShop() {
  const clock = steppedClock(Date.now())
  const webhooks = await holdWebhooks()
  const shop = await startPaymentHarness({ clock, webhookPort: webhooks.port, reactor: false })
  const { runtime, stripe } = shop
  const { commands, store, database } = runtime.engines
  let stopProcessing = startWebhookProcessing(runtime)
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
    const { status } = await commands.stateOf(webhookDecider, streamName('webhook', eventId))
    if (status === 'failed') throw new Error(`webhook ${eventId} failed`)
    return status === 'processed'
  }
  /** Waits until the webhooks that were passed on are processed, and the read model shows it. */
  const untilProcessed = async (): Promise<void> => {
    for (const { id } of webhooks.passedOn) await until(`webhook ${id} is processed`, () => isProcessed(id))
    const head = await store.head()
    await until('subscriptions are projected', () => hasPassed(database, 'subscriptions', head, clock))
  }
  return {
    ...shop,
    clock,
    webhooks,
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
    /** The webhooks that are held back, once the provider has sent all. */
    heldWebhooks: async () => {
      await untilSent(stripe, webhooks)
      return [...webhooks.waiting]
    },
    passOn: (event: (typeof webhooks.waiting)[number]) => webhooks.passOn(event, shop.url, clock.now()),
    /** Passes on all webhooks, and waits until they are processed and the read model shows it. */
    settleWebhooks: async (): Promise<void> => {
      await untilSent(stripe, webhooks)
      while (webhooks.waiting.length > 0) {
        for (const event of [...webhooks.waiting]) await webhooks.passOn(event, shop.url, clock.now())
        await untilSent(stripe, webhooks)
      }
      await untilProcessed()
      webhooks.passedOn.length = 0
    },
    untilProcessed,
    restartProcessing: async (): Promise<void> => {
      await stopProcessing()
      stopProcessing = startWebhookProcessing(runtime)
    },
    eventsOf: (subscriptionId: string) => collect(store.readStream(streamName('subscription', subscriptionId))),
    close: async () => {
      await stopProcessing()
      await shop.close()
      await webhooks.close()
    },
  }
}

/** Waits for the webhooks of everything that has happened at the provider. */
async function untilSent(stripe: Stripe, { seen }: HeldWebhooks): Promise<void> {
  const { data } = await stripe.events.list({ limit: 100 })
  await until('the webhooks are sent', () => data.every(({ id }) => seen.has(id)))
}
