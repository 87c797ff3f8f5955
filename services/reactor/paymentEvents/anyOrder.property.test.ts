import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { disputeFactsOf, disputeObject } from '../../../capabilities/payments/disputeObject.ts'
import {
  chargeObject,
  invoiceFactsOf,
  invoiceObject,
  subscriptionFactsOf,
  subscriptionObject,
} from '../../../capabilities/payments/providerObjects.ts'
import type { DomainEvent } from '../../../contracts/envelope.ts'
import type { PaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { Refusal } from '../../../domain/decider.ts'
import { creditsTakenBack } from '../../../domain/refund.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { disputes } from '../../../projections/disputes/projection.ts'
import { invoices } from '../../../projections/invoices/projection.ts'
import { applyEvents, type Projection, type Row } from '../../../projections/projection.ts'
import { purchases } from '../../../projections/purchases/projection.ts'
import { subscriptions } from '../../../projections/subscriptions/projection.ts'
import { HAS_MANY_RUNS, propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { purchaseStarted, second } from '../../../test/support/events/billingEvents.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import type { ProviderEvent } from '../../../test/support/parties/paymentEventDelivery.ts'
import {
  type HistoryPlan,
  historyPlan,
  PACK_PRICE,
  PLAN_PRICE,
  ProviderHistory,
} from '../../../test/support/parties/providerHistory.ts'
import { applyPaymentEvent } from './applyPaymentEvent.ts'
import type { PaymentEventDependencies } from './paymentEventDependencies.ts'

const PLAN_CREDITS = 5_000_000_000n
const PACK_CREDITS = 1_000_000_000n

/**
 * The order of delivery: which event comes next, new or repeated, and how many at once. An event is delivered while at most
 * `window` others of those that happened before it are still to come: with a small window, most of a second's events happen
 * after the first of them was delivered.
 */
const disorder = fc.record({
  picks: fc.array(fc.nat(), { minLength: 200, maxLength: 200, size: 'max' }),
  repeats: fc.array(fc.nat(), { maxLength: 30, size: 'max' }),
  atOnce: fc.integer({ min: 1, max: 6 }),
  window: fc.constantFrom(1, 2, 4, 1_000),
  lateMs: fc.constantFrom(0, 0, 2_000, 60_000),
})
type Disorder = {
  readonly picks: readonly number[]
  readonly repeats: readonly number[]
  readonly atOnce: number
  readonly window: number
  /** The delay from an event to its delivery. */
  readonly lateMs: number
}

const RUNS_MS_MAX = HAS_MANY_RUNS ? 30_000 : 4_000
const RUNS = { numRuns: propertyRuns({ few: 30, many: 200 }), interruptAfterTimeLimit: RUNS_MS_MAX }

test('provider events in any order, and repeated, end in the same state with every credit booked once', async () => {
  await fc.assert(fc.asyncProperty(historyPlan, disorder, endsRight), RUNS)
})

async function endsRight(plan: HistoryPlan, order: Disorder): Promise<void> {
  const history = new ProviderHistory(plan)
  const store = new MemoryEventStore()
  const world = new World(history, order)
  const dependencies = partsOf(store, history, world)
  begin(store, history)
  const deliveries = disordered(history.events, order)
  for (let n = 0; n < deliveries.length; n += order.atOnce) {
    await Promise.all(
      deliveries.slice(n, n + order.atOnce).map(async (event) => {
        await world.aMoment()
        world.happens(event)
        await deliver(dependencies, event)
      }),
    )
  }
  const { events } = await store.readAll({ after: BEGINNING, limit: 100_000 })
  const rows = <R extends Row>(projection: Projection<R>) => [
    ...applyEvents(
      projection,
      events.filter(({ stream }) => stream.startsWith(`${projection.categories[0]}-`)),
    ).values(),
  ]
  expectSubscriptions(history, rows(subscriptions))
  expectInvoices(history, rows(invoices))
  expectPurchases(history, rows(purchases))
  expectDisputes(history, rows(disputes))
  expectBalance(history, rows(creditBalances)[0])
  const grants = events.filter(({ type }) => type === 'CreditsGranted')
  expect(grants).toHaveLength(history.paidInvoices.size + history.paidPurchases.size)
}

/** Each event at least once, with repetitions anywhere. */
function disordered(events: readonly ProviderEvent[], { picks, repeats, window }: Disorder): ProviderEvent[] {
  const repeated = repeats.map((n) => n % events.length)
  const left = [...events.keys(), ...repeated].sort((a, b) => a - b)
  const out: ProviderEvent[] = []
  for (let n = 0; left.length > 0; n++) {
    const [next = 0] = left.splice((picks[n % picks.length] ?? 0) % Math.min(window, left.length), 1)
    out.push(events[next] as ProviderEvent)
  }
  return out
}

/** How far the provider's history has gone: it shows its objects as they are then, and events after that have not happened. */
class World {
  readonly #history: ProviderHistory
  readonly #order: Disorder
  #happened = 0
  #nowMs = 0
  #moments = 0

  constructor(history: ProviderHistory, order: Disorder) {
    this.#history = history
    this.#order = order
  }

  /** What has happened when an event is delivered: everything before it, and all of the seconds that have ended. */
  happens(event: ProviderEvent): void {
    const { events } = this.#history
    this.#nowMs = Math.max(this.#nowMs, event.created * 1_000 + 500 + this.#order.lateMs)
    const ended = events.findLastIndex(({ created }) => (created + 1) * 1_000 <= this.#nowMs)
    this.#happened = Math.max(this.#happened, events.indexOf(event) + 1, ended + 1)
  }

  now = (): number => this.#nowMs

  /** The answer takes a while, in which more may happen. */
  async show(id: string): Promise<unknown> {
    const shown = this.#history.objectAfter(id, this.#happened)
    await this.aMoment()
    return shown
  }

  async aMoment(): Promise<void> {
    const { picks } = this.#order
    for (let n = (picks[this.#moments++ % picks.length] ?? 0) % 40; n > 0; n--) await null
  }
}

/** Retries on conflicts like a reactor, without recording the payment event's own progress, as after a crash. */
async function deliver(dependencies: PaymentEventDependencies, event: ProviderEvent): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      await applyPaymentEvent(dependencies, event.type as PaymentEventType, event)
      return
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'CONFLICT' && /asked/.test(error.message))) throw error
    }
  }
  throw new Error(`${event.type} stayed in conflict`)
}

function partsOf(store: MemoryEventStore, history: ProviderHistory, world: World): PaymentEventDependencies {
  const appender = new PursuingAppender(store, systemClock)
  return {
    commands: new CommandHandler(store, appender, NOTHING_PERSONAL),
    ledger: new LedgerWriter(appender),
    store,
    clock: { ...systemClock, now: world.now },
    earlierCorrections: async () => [],
    disputesSuspend: false,
    savedPayments: { methodOf: async () => null },
    provider: {
      subscription: async (id) => subscriptionObject.parse(await world.show(id)),
      invoice: async (id) => invoiceObject.parse(await world.show(id)),
      dispute: async (id) => disputeObject.parse(await world.show(id)),
      charge: async (id) => chargeObject.parse(await world.show(id)),
      companyOfCustomer: async () => history.companyId,
      event: () => Promise.reject(new Error('no subject was erased')),
    },
  }
}

function begin(store: MemoryEventStore, { planId, companyId, purchaseIds }: ProviderHistory): void {
  const write = (stream: string, event: DomainEvent) => store.write(stream, 'none', [anEventOf(event, randomUUID())])
  const offer = {
    price: '49',
    currency: 'usd',
    creditsPerPeriodMicros: PLAN_CREDITS.toString(),
    dueDays: 14,
    rolloverShare: null,
  }
  const plan = { planId, name: 'Team', billingMode: 'PREPAID', ...offer, createdAt: second(0) } as const
  write(streamName('plan', planId), { type: 'PlanCreated', data: plan })
  for (const id of purchaseIds) write(streamName('purchase', id), purchaseStarted(id, companyId))
}

function expectSubscriptions(history: ProviderHistory, rows: readonly Row[]): void {
  expect(rows).toHaveLength(history.subscriptions.size)
  for (const row of rows) {
    const facts = subscriptionFactsOf(subscriptionObject.parse(history.subscriptions.get(row.subscriptionId as string)))
    expect(row).toMatchObject({
      status: facts.status,
      planId: history.planId,
      endedAt: facts.endedAt,
      periodEndAt: facts.periodEndAt,
      cancelAtPeriodEnd: facts.cancelAtPeriodEnd,
    })
  }
}

function expectInvoices(history: ProviderHistory, rows: readonly Row[]): void {
  const ofPurchases = rows.filter(({ invoiceId: id }) => String(id).startsWith('purchase_'))
  expect(ofPurchases.map(({ invoiceId: id, status }) => `${id} ${status}`).toSorted()).toEqual(
    [...history.paidPurchases].map((id) => `purchase_${id} PAID`).toSorted(),
  )
  const others = rows.filter((row) => !ofPurchases.includes(row))
  expect(others).toHaveLength(history.invoices.size)
  for (const row of others) {
    const id = row.invoiceId as string
    const facts = invoiceFactsOf({ ...invoiceObject.parse(history.invoices.get(id)), id }, null)
    expect(row).toMatchObject({ status: facts.status, dueAt: facts.dueAt, paidAt: facts.paidAt })
  }
}

function expectPurchases(history: ProviderHistory, rows: readonly Row[]): void {
  for (const row of rows) {
    const id = row.purchaseId as string
    const isPaid = history.paidPurchases.has(id)
    const refunded = takenBack(PACK_CREDITS, PACK_PRICE, history.refunded.get(id))
    expect(row).toMatchObject({
      status: isPaid ? 'COMPLETED' : 'PENDING',
      refundedMicros: (isPaid ? refunded : 0n).toString(),
    })
  }
}

function expectDisputes(history: ProviderHistory, rows: readonly Row[]): void {
  expect(rows).toHaveLength(history.disputes.size)
  for (const row of rows) {
    const { status, amountMinor } = disputeFactsOf(disputeObject.parse(history.disputes.get(row.disputeId as string)))
    expect(row).toMatchObject({ status, amountMinor })
  }
}

function expectBalance(history: ProviderHistory, row: Row | undefined): void {
  let expected = 0n
  const left = (credits: bigint, charged: number, id: string) => {
    const kept = credits - takenBack(credits, charged, history.refunded.get(id))
    const disputed = takenBack(credits, charged, history.disputed.get(id))
    return kept - (disputed < kept ? disputed : kept)
  }
  for (const id of history.paidInvoices) {
    expected += left(PLAN_CREDITS, PLAN_PRICE, id)
  }
  for (const id of history.paidPurchases) {
    expected += left(PACK_CREDITS, PACK_PRICE, id)
  }
  expect(row?.balanceMicros ?? '0').toBe(expected.toString())
}

function takenBack(credits: bigint, charged: number, refunded = 0): bigint {
  return creditsTakenBack(credits, { chargedMinor: String(charged), refundedMinor: String(refunded) })
}
