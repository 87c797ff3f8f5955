import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planIdOfProduct } from '../../capabilities/payments/offers.ts'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { competingSubscriptions, openDuplicates } from '../../projections/subscriptions/queries.ts'
import { createDuplicateEnding } from '../../services/reactor/endDuplicates.ts'
import { propertyRuns } from '../support/cases/propertyRuns.ts'
import { tryStories } from '../support/events/stories.ts'
import {
  openSubscriptionShop,
  type ShopPlan,
  type Subscriber,
  type SubscriptionShop,
} from '../support/events/subscriptionShop.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { dyingAfter } from '../support/processes/dyingProcess.ts'

const HOUR_MS = 3_600_000
const RUNS_MS_MAX = 30_000
const RUNS = { numRuns: propertyRuns({ few: 15, many: 40 }), msMax: RUNS_MS_MAX }
/** Rounds of the reactor until no second subscription is left. */
const ROUNDS_MAX = 10

const CHANGE = 'mutation ($planId: ID!) { changePlan(planId: $planId) { id planId nextPlanId } }'
const CANCEL = 'mutation { cancelSubscription { id } }'
const RESUME = 'mutation { resumeSubscription { id } }'

const planNumber = fc.nat({ max: 2 })
const pick = fc.nat({ max: 50 })
const open = fc.record({ type: fc.constant('open' as const), plan: planNumber })
const pay = fc.record({ type: fc.constant('pay' as const), pick })
const action = fc.oneof(
  { weight: 1, arbitrary: open },
  { weight: 2, arbitrary: pay },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('deliver' as const),
      pick,
      count: fc.constantFrom(1, 3, 9, 30),
      // The newest first means that the later of two subscriptions is known first.
      order: fc.constantFrom('oldest' as const, 'newest' as const, 'any' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('repeat' as const), pick }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('change' as const), plan: planNumber }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('resume' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('renew' as const),
      pick,
      outcome: fc.constantFrom('pay', 'pay', 'decline'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('react' as const),
      steps: fc.integer({ min: 3, max: 10 }),
      isUpToDate: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 7_000, 8 * HOUR_MS, 100 * HOUR_MS),
    }),
  },
)
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

/** Two tabs at the beginning, of which one or both are paid. */
const story = fc
  .tuple(
    fc.array(open, { minLength: 2, maxLength: 2 }),
    fc.array(pay, { minLength: 1, maxLength: 2 }),
    fc.array(action, { minLength: 4, maxLength: 14, size: 'max' }),
  )
  .map(([tabs, paid, rest]): Action[] => [...tabs, ...paid, ...rest])

let shop: SubscriptionShop
beforeAll(async () => {
  shop = await openSubscriptionShop()
})
afterAll(() => shop.close())

test(
  'checkouts, payment events, plan changes, cancellations and crashes in any order end with one subscription at most, and create no credits',
  () => tryStories(story, endsRight, RUNS),
  RUNS_MS_MAX + 160_000,
)

async function endsRight(actions: readonly Action[]): Promise<void> {
  const world = new World(await shop.newSubscriber())
  for (const one of actions) await world.does(one)
  await world.settles()
  await world.expectOneSubscription()
  await world.expectRefunds()
  await world.expectCredits()
}

/** What one company does, and what happens to it. */
class World {
  readonly #subscriber: Subscriber
  /** Checkout pages that nobody has paid. */
  readonly #pages: string[] = []
  /** Subscriptions that ended because they were canceled, not as duplicates. */
  readonly #ended = new Set<string>()

  constructor(subscriber: Subscriber) {
    this.#subscriber = subscriber
  }

  async does(one: Action): Promise<void> {
    switch (one.type) {
      case 'open': {
        const page = await this.#unlessRefused(() => shop.openPage(this.#subscriber, planOf(one.plan).id))
        if (page) this.#pages.push(page)
        return
      }
      case 'pay': {
        const [page] = this.#pages.splice(one.pick % Math.max(1, this.#pages.length), 1)
        if (page) await press(page, 'pay')
        return
      }
      case 'deliver': {
        const held = await shop.heldPaymentEvents()
        for (let n = 0; n < one.count && held.length > 0; n++) {
          const at = { oldest: 0, newest: held.length - 1, any: (one.pick * (n + 1)) % held.length }[one.order]
          const [event] = held.splice(at, 1)
          if (event) await shop.passOn(event)
        }
        return
      }
      case 'repeat': {
        const event = shop.paymentEvents.passedOn[one.pick % Math.max(1, shop.paymentEvents.passedOn.length)]
        if (event) await shop.passOn(event)
        return
      }
      case 'change':
        return this.#changePlan(planOf(one.plan))
      case 'cancel':
        await this.#unlessRefused(() => shop.askAs(CANCEL, {}, this.#subscriber.person))
        return
      case 'resume':
        await this.#unlessRefused(() => shop.askAs(RESUME, {}, this.#subscriber.person))
        return
      case 'renew': {
        const running = await this.#running()
        const subscription = running[one.pick % Math.max(1, running.length)]
        if (!subscription) return
        await shop.control(`subscriptions/${subscription.id}/renew`, { outcome: one.outcome })
        if (subscription.cancel_at_period_end) this.#ended.add(subscription.id)
        return
      }
      case 'react':
        if (one.isUpToDate) await shop.untilProcessed()
        return createDuplicateEnding(dyingAfter(one.steps, shop.runtime).parts)()
      case 'restart':
        return shop.restartProcessing()
      case 'wait':
        shop.clock.advance(one.ms)
    }
  }

  /** An upgrade is in force at once; any other plan only from the next period on. */
  async #changePlan(plan: ShopPlan): Promise<void> {
    const before = new Map((await this.#running()).map((one) => [one.id, one]))
    const changed = await this.#unlessRefused(() => shop.askAs(CHANGE, { planId: plan.id }, this.#subscriber.person))
    if (!changed) return
    const { id } = changed.changePlan
    const present = planIn(before.get(id))
    const after = await shop.stripe.subscriptions.retrieve(id)
    const isUpgrade = plan.priceMinor > present.priceMinor
    expect(planIn(after).id).toBe((isUpgrade ? plan : present).id)
    if (isUpgrade || plan.id === present.id) expect(after.schedule).toBeNull()
    else expect(await nextPlanIn(after)).toBe(plan.id)
  }

  /** All payment events arrive, and reactors run, until nothing happens any more. */
  async settles(): Promise<void> {
    const { companyId } = this.#subscriber
    const { database } = shop.runtime.engines
    const provider = openPaymentProvider(shop.runtime.config)
    for (let round = 0; round < ROUNDS_MAX; round++) {
      await shop.settlePaymentEvents()
      const competing = await competingSubscriptions(database, [], 100)
      const open = await openDuplicates(database, [], 100)
      if (![...competing, ...open].some((row) => row.companyId === companyId)) return
      await createDuplicateEnding({ ...shop.runtime, provider })()
    }
    throw new Error('second subscriptions are left after all rounds')
  }

  async expectOneSubscription(): Promise<void> {
    const all = await shop.subscriptionsAtProvider(this.#subscriber)
    const running = all.filter(isRunning)
    expect(running.length).toBeLessThanOrEqual(1)
    if (running.length === 0 && all.length > 0) expect(this.#ended.size).toBeGreaterThan(0)
    const { subscriptions } = await shop.askAs('{ subscriptions { id status planId } }', {}, this.#subscriber.person)
    const shown = new Map((subscriptions as Shown[]).map((one) => [one.id, one]))
    for (const one of all) {
      expect(shown.get(one.id)).toMatchObject({ status: one.status.toUpperCase(), planId: planIn(one).id })
    }
  }

  /** Every payment for the last period of a duplicate is refunded once, and no other. */
  async expectRefunds(): Promise<void> {
    for (const one of await shop.subscriptionsAtProvider(this.#subscriber)) {
      const duplicate = (await shop.eventsOf(one.id)).filter(({ type }) => type === 'SubscriptionDuplicateEnded')
      // One that was found to be a duplicate may have ended by itself before it was ended.
      if (!this.#ended.has(one.id)) expect(duplicate.length).toBe(one.status === 'canceled' ? 1 : 0)
      expect(duplicate.length).toBeLessThanOrEqual(1)
      let refundedMinor = 0
      for (const invoice of await invoicesOf(one)) {
        if (!invoice.charge) continue
        const charge = await shop.stripe.charges.retrieve(String(invoice.charge))
        const isDue = duplicate.length > 0 && periodEndOf(invoice) > one.current_period_start
        expect(charge.amount_refunded).toBe(isDue ? charge.amount : 0)
        refundedMinor += charge.amount_refunded
      }
      const said = duplicate[0]?.type === 'SubscriptionDuplicateEnded' ? duplicate[0].data.refunded : null
      expect(Number(said?.amountMinor ?? 0)).toBe(refundedMinor)
    }
  }

  /** A period grants no more than the largest plan that was paid for in it, and what is refunded is taken back. */
  async expectCredits(): Promise<void> {
    const granted = new Map<string, number>()
    let balance = 0
    for (const { type, data } of await shop.ledgerOf(this.#subscriber.companyId)) {
      if (type !== 'CreditsGranted' && type !== 'CreditsRefunded') throw new Error(`${type} on the ledger`)
      const invoice = /invoice (\S+)$/.exec(data.reason)?.[1] ?? ''
      const credits = (type === 'CreditsGranted' ? 1 : -1) * (Number(data.amountMicros) / 1e6)
      balance += credits
      if (type === 'CreditsGranted') granted.set(invoice, (granted.get(invoice) ?? 0) + credits)
    }
    let expected = 0
    for (const one of await shop.subscriptionsAtProvider(this.#subscriber)) {
      const periods = Map.groupBy(await invoicesOf(one), periodEndOf)
      for (const invoices of periods.values()) {
        const lines = invoices.filter(({ status }) => status === 'paid').flatMap(({ lines }) => lines.data)
        const largest = Math.max(0, ...lines.map(({ price }) => planOfProduct(price?.product).credits))
        const sum = invoices.reduce((total, { id }) => total + (granted.get(id) ?? 0), 0)
        // Prices of parts of a period are rounded to a cent, which is worth at most so many credits.
        expect(sum).toBeLessThanOrEqual(largest + lines.length * 0.25)
        const charges = invoices.filter(({ charge }) => charge !== null)
        const refunded = await Promise.all(charges.map(({ charge }) => shop.stripe.charges.retrieve(String(charge))))
        if (refunded.length > 0 && refunded.every((charge) => charge.refunded)) continue
        expected += sum
      }
    }
    expect(balance).toBeCloseTo(expected, 3)
  }

  /** null if it is refused, as a person's request may be at any time. */
  async #unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    return ask().catch((error: unknown) => {
      if (/"code":"(BAD_USER_INPUT|NOT_FOUND)"/.test(String(error))) return null
      throw error
    })
  }

  async #running(): Promise<Stripe.Subscription[]> {
    return (await shop.subscriptionsAtProvider(this.#subscriber)).filter(isRunning)
  }
}

type Shown = { readonly id: string; readonly status: string; readonly planId: string | null }

function isRunning({ status }: Stripe.Subscription): boolean {
  return status === 'active' || status === 'trialing' || status === 'past_due'
}

async function invoicesOf({ id }: Stripe.Subscription): Promise<Stripe.Invoice[]> {
  return (await shop.stripe.invoices.list({ subscription: id, limit: 100 })).data
}

function periodEndOf({ lines }: Stripe.Invoice): number {
  return Math.max(...lines.data.map(({ period }) => period.end))
}

function planOf(n: number): ShopPlan {
  const plan = shop.plans[n]
  if (!plan) throw new Error(`there is no plan ${n}`)
  return plan
}

function planIn(subscription: Stripe.Subscription | undefined): ShopPlan {
  return planOfProduct(subscription?.items.data[0]?.price.product)
}

/** The plan that the subscription's schedule ends with. */
async function nextPlanIn({ schedule }: Stripe.Subscription): Promise<string | null> {
  const { phases } = await shop.stripe.subscriptionSchedules.retrieve(String(schedule))
  const { product } = await shop.stripe.prices.retrieve(String(phases.at(-1)?.items[0]?.price))
  return planIdOfProduct(String(product))
}

function planOfProduct(product: unknown): ShopPlan {
  const planId = planIdOfProduct(String(product))
  const plan = shop.plans.find(({ id }) => id === planId)
  if (!plan) throw new Error(`${product} is not a plan of the shop`)
  return plan
}
