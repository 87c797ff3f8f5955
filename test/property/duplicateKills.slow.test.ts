import { afterAll, beforeAll, expect, test } from 'vitest'
import { Mailer } from '../../capabilities/mail/mailer.ts'
import { openPaymentProvider } from '../../capabilities/payments/paymentProvider.ts'
import { emailWorker } from '../../services/ai/workers/email/emailWorker.ts'
import { WorkerRunner } from '../../services/ai/workers/workerRunner.ts'
import { createDuplicateEnding } from '../../services/reactor/endDuplicates.ts'
import { openSubscriptionShop, type Subscriber, type SubscriptionShop } from '../support/events/subscriptionShop.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { dyingAfter } from '../support/processes/dyingProcess.ts'
import { until } from '../support/time/until.ts'

/** More than a reactor needs to end a duplicate. */
const STEPS_MAX = 20

let shop: SubscriptionShop
let mailer: Mailer
let mails: WorkerRunner
beforeAll(async () => {
  shop = await openSubscriptionShop()
  const { engines, clock, log } = shop.runtime
  mailer = new Mailer({ url: shop.sandbox.smtpUrl, from: 'Tollgate <tollgate@mail.example>' })
  const links = { publicUrl: 'https://tollgate.example', secret: 's'.repeat(32) }
  const worker = emailWorker({ engines, mailer, clock, links })
  mails = new WorkerRunner({ worker, engines, clock, log, limits: { pollMs: 20, dueEveryMs: 1_000 } })
  mails.start()
})
afterAll(async () => {
  await mails.drain(1_000)
  mailer.close()
  await shop.close()
})

test('a reactor that dies between any two steps leaves one subscription, one refund and one mail in the end', async () => {
  let deaths = 0
  for (let steps = 1; ; steps++) {
    expect(steps).toBeLessThan(STEPS_MAX)
    const subscriber = await twoTabs()
    const dying = dyingAfter(steps, shop.runtime)
    await createDuplicateEnding(dying.parts)()
    await endDuplicates(subscriber)
    await expectOneOfEach(subscriber)
    if (!dying.hasDied()) break
    deaths++
  }
  // Two questions, the record of the duplicate, question and cancellation, invoices and refund, two records.
  expect(deaths).toBeGreaterThanOrEqual(9)
})

test('a duplicate whose plan was changed before it was found gets all payments of its period back', async () => {
  const subscriber = await shop.newSubscriber()
  const pages = [await shop.openPage(subscriber, plan(0)), await shop.openPage(subscriber, plan(0))] as const
  await press(pages[0], 'pay')
  const early = new Set(await shop.heldPaymentEvents())
  shop.clock.advance(2_000)
  await press(pages[1], 'pay')
  // Only the later subscription is known here when its plan is changed.
  for (const event of await shop.heldPaymentEvents()) if (!early.has(event)) await shop.passOn(event)
  const change = 'mutation ($planId: ID!) { changePlan(planId: $planId) { planId } }'
  await until('the plan can be changed', () =>
    shop.askAs(change, { planId: plan(2) }, subscriber.person).catch((error: unknown) => {
      if (!/NOT_FOUND/.test(String(error))) throw error
      return null
    }),
  )
  await shop.settlePaymentEvents()
  await endDuplicates(subscriber)
  const [kept, later] = await shop.subscriptionsAtProvider(subscriber)
  expect([kept?.status, later?.status]).toEqual(['active', 'canceled'])
  const { data: invoices } = await shop.stripe.invoices.list({ subscription: later?.id ?? '' })
  expect(invoices).toHaveLength(2)
  const charges = await chargesOf(later?.id ?? '')
  expect(charges.map(({ amount, amount_refunded }) => amount - amount_refunded)).toEqual([0, 0])
  const ended = (await shop.eventsOf(later?.id ?? '')).filter(({ type }) => type === 'SubscriptionDuplicateEnded')
  expect(ended).toMatchObject([{ data: { refunded: { amountMinor: '20000', currency: 'usd' } } }])
})

const plan = (n: number): string => shop.plans[n]?.id ?? ''

/** A company that has paid for the same plan in two tabs. */
async function twoTabs(): Promise<Subscriber> {
  const subscriber = await shop.newSubscriber()
  const pages = [await shop.openPage(subscriber, plan(0)), await shop.openPage(subscriber, plan(0))]
  for (const page of pages) {
    await press(page, 'pay')
    shop.clock.advance(2_000)
  }
  await shop.settlePaymentEvents()
  return subscriber
}

/** Other reactors, two at a time, until the later subscription is ended and recorded as such. */
async function endDuplicates(subscriber: Subscriber): Promise<void> {
  const provider = openPaymentProvider(shop.runtime.config)
  const round = () => createDuplicateEnding({ ...shop.runtime, provider })()
  await until('the duplicate is ended', async () => {
    await Promise.all([round(), round()])
    const [, later] = await shop.subscriptionsAtProvider(subscriber)
    return (await shop.eventsOf(later?.id ?? '')).some(({ type }) => type === 'SubscriptionDuplicateEnded')
  })
  await shop.settlePaymentEvents()
  await round()
}

async function expectOneOfEach(subscriber: Subscriber): Promise<void> {
  const subscriptions = await shop.subscriptionsAtProvider(subscriber)
  const [kept, later] = subscriptions
  expect(subscriptions.map(({ status }) => status)).toEqual(['active', 'canceled'])
  const shown = await shop.askAs('{ subscriptions { id status } }', {}, subscriber.person)
  expect(shown.subscriptions).toEqual([
    { id: later?.id, status: 'CANCELED' },
    { id: kept?.id, status: 'ACTIVE' },
  ])
  const { data: refunds } = await shop.stripe.refunds.list({ limit: 100 })
  const charges = await chargesOf(later?.id ?? '')
  expect(refunds.filter(({ charge }) => charges.some(({ id }) => id === charge))).toMatchObject([{ amount: 5_000 }])
  expect((await chargesOf(kept?.id ?? '')).map(({ amount_refunded }) => amount_refunded)).toEqual([0])
  const ends = (await shop.eventsOf(later?.id ?? '')).filter(({ type }) => type === 'SubscriptionDuplicateEnded')
  expect(ends).toHaveLength(1)
  const mail = await until('the mail arrives', async () => {
    const all = (await (await fetch(`${shop.sandbox.url}/mailbox`)).json()) as Mail[]
    const own = all.filter(({ to }) => to.includes(subscriber.person.email))
    return own.length > 0 && own
  })
  expect(mail).toMatchObject([{ count: 1, subject: expect.stringMatching(/second subscription/) }])
}

type Mail = { readonly to: readonly string[]; readonly subject: string; readonly count: number }

async function chargesOf(subscription: string) {
  const { data } = await shop.stripe.invoices.list({ subscription, limit: 100 })
  const charges = data.flatMap(({ charge }) => (typeof charge === 'string' ? [charge] : []))
  return Promise.all(charges.map((id) => shop.stripe.charges.retrieve(id)))
}
