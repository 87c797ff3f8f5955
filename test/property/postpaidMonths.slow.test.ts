import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endMonth } from '../../capabilities/postpaid/endMonths.ts'
import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { monthAfter, monthBefore, monthOf } from '../../domain/postpaid/month.ts'
import { MonthReplay } from '../../domain/postpaid/monthReplay.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { hasPassed } from '../../projections/runner/readAfterWrite.ts'
import { auditMonths } from '../../scripts/audit/months.ts'
import { propertyRuns } from '../support/cases/propertyRuns.ts'
import { adjusted, charged, granted, refunded, reversed } from '../support/events/ledgerEvents.ts'
import { tryStories } from '../support/events/stories.ts'
import { openSubscriptionShop, type Subscriber, type SubscriptionShop } from '../support/events/subscriptionShop.ts'
import { press } from '../support/harness/paymentSandboxClient.ts'
import { billingKilledAt, livingBilling } from '../support/processes/dyingBilling.ts'
import { until } from '../support/time/until.ts'

const ACTOR = { kind: 'system', name: 'test' } as const
const DAY_MS = 24 * 60 * 60_000
const RUNS_MS_MAX = 20_000
const RUNS = { numRuns: propertyRuns({ few: 10, many: 40 }), msMax: RUNS_MS_MAX }
/** More than an invoice with all its lines takes. */
const STEPS_MAX = 14
const OFFERS = [
  { price: '100', currency: 'usd', creditsPerPeriodMicros: 1_000_000_000n },
  { price: '49', currency: 'usd', creditsPerPeriodMicros: 5_000_000_000n },
] as const

const pick = fc.nat({ max: 50 })
const micros = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1_000_000, max: 3_000_000_000 }))
const alias = fc.constantFrom('svc/chat-default', 'svc/chat-premium', 'acme/fast')
const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('charge' as const), micros, alias }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('grant' as const, 'refund' as const), micros }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('adjust' as const), micros, isNegative: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('reverse' as const, 'repeat' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('plan' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('month' as const), days: fc.integer({ min: 0, max: 27 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('back' as const, 'restart' as const, 'twice' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('react' as const),
      step: fc.integer({ min: 1, max: STEPS_MAX }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('deliver' as const, 'pay' as const), pick }) },
)
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never

let shop: SubscriptionShop
let planIds: string[]
/** The latest time so far: months begin after it, also while the clock is set back. */
let latestMs: number
beforeAll(async () => {
  shop = await openSubscriptionShop()
  latestMs = shop.clock.now()
  planIds = OFFERS.map(() => randomUUID())
  const { commands } = shop.runtime.engines
  for (const [n, offer] of OFFERS.entries()) {
    const planId = planIds[n] ?? ''
    const create = { type: 'CreatePlan', planId, name: 'Usage', billingMode: 'POSTPAID', ...offer, at: now() } as const
    await commands.handle(planDecider, streamName('plan', planId), create, context())
  }
})
afterAll(() => shop.close())

const now = () => isoTime(shop.clock.now())
const context = () => ({ commandId: randomUUID(), correlationId: 'test', actor: ACTOR })
const sum = (amounts: readonly (string | number)[]) => amounts.reduce((total, one) => total + BigInt(one), 0n)

test(
  'closes, kills, payment events, adjustments and changes of plan in any order: each entry in one range, each month invoiced once',
  () => tryStories(fc.array(action, { minLength: 6, maxLength: 20, size: 'max' }), endsRight, RUNS),
  RUNS_MS_MAX + 120_000,
)

async function endsRight(actions: readonly Action[]): Promise<void> {
  const world = await World.open()
  for (const one of actions) await world.does(one)
  await world.settles()
  await world.expectRanges()
  await world.expectInvoices()
  await world.expectBalance()
}

/** A postpaid company, its calls and its invoices. */
class World {
  readonly #companyId: string
  readonly #firstMonth = monthOf(now())
  readonly #reversed = new Set<string>()

  private constructor({ companyId }: Subscriber) {
    this.#companyId = companyId
  }

  static async open(): Promise<World> {
    shop.clock.set(latestMs)
    const world = new World(await shop.newSubscriber())
    await world.#choose(planIds[0] ?? '')
    await until('the read model has the company', async () => {
      return (await companyById(shop.runtime.engines.database, world.#companyId))?.postpaidSince != null
    })
    return world
  }

  async does(one: Action): Promise<void> {
    const companyId = this.#companyId
    switch (one.type) {
      case 'charge':
        return this.#book(charged(companyId, { amountMicros: String(one.micros), alias: one.alias }))
      case 'grant':
        return this.#book(granted(companyId, { amountMicros: String(one.micros) }))
      case 'refund':
        return this.#book(refunded(companyId, { amountMicros: String(one.micros) }))
      case 'adjust':
        return this.#book(adjusted(companyId, { amountMicros: String(one.isNegative ? -one.micros : one.micros) }))
      case 'reverse': {
        const charges = (await this.#ledger()).filter((event) => event.type === 'CallCharged')
        const charge = charges[one.pick % Math.max(1, charges.length)]
        if (!charge || this.#reversed.has(charge.id)) return
        this.#reversed.add(charge.id)
        return this.#book(reversed(charge))
      }
      case 'plan':
        return this.#choose(planIds[one.pick % planIds.length] ?? '')
      case 'month':
        latestMs = Math.max(latestMs, Date.parse(`${monthAfter(monthOf(isoTime(latestMs)))}-01`) + one.days * DAY_MS)
        shop.clock.set(latestMs)
        return
      case 'back':
        return shop.clock.advance(-40 * DAY_MS)
      case 'react':
        await this.#issue(billingKilledAt(one.step, one.when, shop.runtime, shop.sandbox.url).parts).catch(() => {})
        return
      case 'twice':
        await Promise.allSettled([this.#issue(), this.#issue()])
        return
      case 'pay':
        await this.#pay((invoices) => invoices.slice(one.pick % Math.max(1, invoices.length)).slice(0, 1))
        return
      case 'deliver': {
        const held = await shop.heldPaymentEvents()
        const event = held[one.pick % Math.max(1, held.length)]
        if (event) await shop.passOn(event)
        return
      }
      case 'repeat': {
        const event = shop.paymentEvents.passedOn[one.pick % Math.max(1, shop.paymentEvents.passedOn.length)]
        if (event) await shop.passOn(event)
        return
      }
      case 'restart':
        return shop.restartProcessing()
    }
  }

  /** The last month ends, a reactor that lives does what is left, and everything is paid. */
  async settles(): Promise<void> {
    await this.does({ type: 'month', days: 0 })
    const last = monthBefore(monthOf(now()))
    for (let month = this.#firstMonth; month <= last; month = monthAfter(month)) {
      await endMonth(livingBilling(shop.runtime, shop.sandbox.url), this.#companyId, month)
    }
    await shop.settlePaymentEvents()
    await this.#pay((invoices) => invoices)
    await shop.settlePaymentEvents()
  }

  async expectRanges(): Promise<void> {
    const { ledger, months } = await this.#replayed()
    const last = months.at(-1)?.bill.closeRevision ?? -1
    for (const { revision } of ledger) {
      const around = months.filter(({ bill }) => bill.afterRevision < revision && revision <= bill.closeRevision)
      expect(around).toHaveLength(revision <= last ? 1 : 0)
    }
    const names = months.map(({ month }) => month)
    expect(names).toEqual([...new Set(names)].toSorted())
    expect([names[0], names.at(-1)]).toEqual([this.#firstMonth, monthBefore(monthOf(now()))])
    for (const { bill } of months) {
      const inside = ledger.filter(({ revision }) => revision > bill.afterRevision && revision <= bill.closeRevision)
      const charges = inside.flatMap((event) => (event.type === 'CallCharged' ? [event.data.amountMicros] : []))
      const reversals = inside.flatMap((event) => (event.type === 'ChargeReversed' ? [event.data.amountMicros] : []))
      const usage = bill.lines.filter(({ kind }) => kind === 'USAGE')
      expect(sum(usage.map(({ creditsMicros }) => creditsMicros))).toBe(sum(charges) - sum(reversals))
    }
  }

  /** One invoice at the provider for each month that costs something, with the amounts of its range. */
  async expectInvoices(): Promise<void> {
    const { engines, clock } = shop.runtime
    const { months } = await this.#replayed()
    const invoices = await this.#invoices()
    const due = months.filter(({ bill }) => bill.amountMinor !== '0')
    expect(invoices.map(({ metadata }) => metadata?.month).toSorted()).toEqual(due.map(({ month }) => month))
    for (const { month, bill } of due) {
      const invoice = invoices.find(({ metadata }) => metadata?.month === month)
      expect(String(invoice?.total)).toBe(bill.amountMinor)
      expect(sum((invoice?.lines.data ?? []).map(({ amount }) => amount))).toBe(BigInt(bill.amountMinor))
    }
    const head = await engines.store.head()
    await until('invoices are projected', () => hasPassed(engines.database, 'invoices', head, clock))
    const audited = await auditMonths(engines, this.#companyId, months)
    expect(audited.map(({ difference }) => difference)).toEqual(months.map(() => null))
  }

  /** All invoices are paid, so what is left was carried over or came after the last close. */
  async expectBalance(): Promise<void> {
    const { ledger, months } = await this.#replayed()
    const settled = ledger.flatMap((event) => (event.type === 'InvoiceSettled' ? [event.data.month] : []))
    const owed = months.filter(({ bill }) => bill.creditsMicros !== '0').map(({ month }) => month)
    expect(settled.toSorted()).toEqual(owed)
    const last = months.at(-1)?.bill
    const later = ledger.filter(
      ({ type, revision }) => type !== 'InvoiceSettled' && revision > (last?.closeRevision ?? -1),
    )
    const balance = ledger.reduce((total, event) => total + deltaMicros(event), 0n)
    const expected = later.reduce((total, event) => total + deltaMicros(event), BigInt(last?.carriedMicros ?? 0))
    expect(balance).toBe(expected)
  }

  async #choose(planId: string): Promise<void> {
    const companyId = this.#companyId
    const mode = { type: 'ChangeBillingMode', companyId, billingMode: 'POSTPAID', planId, at: now() } as const
    await shop.runtime.engines.commands.handle(companyDecider, streamName('company', companyId), mode, context())
  }

  #issue(parts = livingBilling(shop.runtime, shop.sandbox.url)): Promise<void> {
    return endMonth(parts, this.#companyId, monthBefore(monthOf(now())))
  }

  async #book(event: LedgerEvent): Promise<void> {
    const { ledger } = shop.runtime.engines
    await ledger.book(ledger.draftOf(event), randomUUID(), ACTOR)
  }

  async #pay(choose: (open: Stripe.Invoice[]) => Stripe.Invoice[]): Promise<void> {
    const open = (await this.#invoices()).filter(({ status }) => status === 'open')
    for (const { hosted_invoice_url } of choose(open)) await press(hosted_invoice_url ?? '', 'pay')
  }

  async #invoices(): Promise<Stripe.Invoice[]> {
    const all: Stripe.Invoice[] = []
    for await (const invoice of shop.stripe.invoices.list({ limit: 100 })) {
      if (invoice.metadata?.companyId === this.#companyId) all.push(invoice)
    }
    return all
  }

  async #ledger(): Promise<Recorded<LedgerEvent>[]> {
    return (await shop.ledgerOf(this.#companyId)) as Recorded<LedgerEvent>[]
  }

  async #replayed() {
    const ledger = await this.#ledger()
    const replay = new MonthReplay()
    for (const event of ledger) replay.add(event)
    return { ledger, months: replay.months }
  }
}
