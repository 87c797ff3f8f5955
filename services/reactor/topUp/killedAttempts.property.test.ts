import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LaterPayment, PaymentOutcome } from '../../../capabilities/payments/savedPayments.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { topUpDecider } from '../../../domain/topUp/decider.ts'
import { runningAttempt } from '../../../domain/topUp/state.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { propertyRuns } from '../../../test/support/cases/propertyRuns.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { NOTHING_PERSONAL } from '../../../test/support/eventStores/nothingPersonal.ts'
import { COMPANY, PACK } from '../../../test/support/events/billingEvents.ts'
import { registered, suspended } from '../../../test/support/events/controlEvents.ts'
import { anEventOf } from '../../../test/support/events/history.ts'
import { topUpMethodSaved, topUpSet } from '../../../test/support/events/topUpEvents.ts'
import { runAttempt } from './runAttempt.ts'
import { topUpPaid } from './settleTopUp.ts'
import { type StartingParts, startAttempt } from './startAttempt.ts'

const HOUR_MS = 60 * 60 * 1_000
const KEY_REMEMBERED_MS = 24 * HOUR_MS
const FALL = { companyId: COMPANY, balanceMicros: '-5', grantsMicros: '0' }
const LIVES_MAX = 8
const STEPS_MAX = 14
/** The steps of a first attempt: it is started, its purchase is started, it is paid. */
const STARTED_STEP = 0
const PAID_STEP = 2

/** A reactor that dies before or after one of its steps, and how long it is gone. Another one may run beside it. */
const life = fc.record({
  diesAt: fc.integer({ min: 0, max: STEPS_MAX }),
  isDone: fc.boolean(),
  goneHours: fc.constantFrom(0, 0, 1, 13, 30),
  hasCompanion: fc.boolean(),
  hearsEvent: fc.boolean(),
})
const bank = fc.constantFrom('pay', 'pay', 'decline', 'confirm', 'confirm and forget')
type Life = Parameters<Parameters<typeof life.map>[0]>[0]
type Bank = Parameters<Parameters<typeof bank.map>[0]>[0]

test('an attempt that is killed at any step, and repeated by any reactor, is one payment and one grant at most', async () => {
  const lives = fc.array(life, { maxLength: LIVES_MAX })
  const property = fc.asyncProperty(lives, bank, fc.boolean(), async (plan, will, hears) => {
    await endsOnce(plan, will, hears)
  })
  await fc.assert(property, { numRuns: propertyRuns({ few: 300, many: 5_000 }) })
})

test('a reactor that dies at each step in turn leaves one payment and one grant', async () => {
  for (let diesAt = 0; diesAt <= STEPS_MAX; diesAt++) {
    for (const isDone of [false, true]) {
      for (const will of ['pay', 'confirm'] as const) {
        const world = await endsOnce(
          [{ diesAt, isDone, goneHours: 0, hasCompanion: false, hearsEvent: false }],
          will,
          false,
        )
        expect(world.paid()).toHaveLength(1)
      }
    }
  }
})

test('an attempt of a company that was suspended meanwhile is not paid, but one that was paid before is credited', async () => {
  const ALIVE = Number.POSITIVE_INFINITY
  for (const [diesAt, statuses] of [
    [STARTED_STEP, ['GIVEN_UP']],
    [PAID_STEP, ['SUCCEEDED']],
  ] as const) {
    const world = new World('pay')
    await world.round(world.reactor(diesAt, true))
    world.suspend()
    await world.round(world.reactor(ALIVE, false))
    world.nowMs += HOUR_MS
    await world.round(world.reactor(ALIVE, false))
    const { attempts } = await world.state()
    expect(attempts.map(({ status }) => status)).toEqual(statuses)
    expect(world.paid()).toHaveLength(diesAt === PAID_STEP ? 1 : 0)
  }
})

async function endsOnce(lives: readonly Life[], will: Bank, hearsInTheEnd: boolean): Promise<World> {
  const world = new World(will)
  for (const { diesAt, isDone, goneHours, hasCompanion, hearsEvent } of lives) {
    const reactors = [world.reactor(diesAt, isDone)]
    if (hasCompanion) reactors.push(world.reactor(STEPS_MAX - diesAt, !isDone))
    await Promise.all(reactors.map((reactor) => world.round(reactor)))
    if (hearsEvent) await world.hear(world.reactor(diesAt, isDone))
    world.nowMs += goneHours * HOUR_MS
  }
  for (let round = 0; round < 4; round++) {
    await world.round(world.reactor(Number.POSITIVE_INFINITY, false))
    world.confirms()
    world.nowMs += 13 * HOUR_MS
  }
  if (hearsInTheEnd) await world.hear(world.reactor(Number.POSITIVE_INFINITY, false))
  const events = await world.events()
  const grants = events.filter(({ type }) => type === 'CreditsGranted')
  const starts = events.filter(({ type }) => type === 'TopUpStarted')
  expect(starts).toHaveLength(1)
  expect(world.paid().length).toBeLessThanOrEqual(1)
  expect(grants).toHaveLength(world.paid().length)
  expect(events.filter(({ type }) => type === 'TopUpSucceeded')).toHaveLength(world.paid().length)
  expect(runningAttempt(await world.state())).toBeNull()
  return world
}

class Killed extends Error {}

/** The payments of the provider, and a store that survives the reactors. */
class World {
  nowMs = Date.parse('2026-03-10T10:00:00.000Z')
  readonly #store = new MemoryEventStore()
  readonly #will: Bank
  readonly #payments: { readonly payment: LaterPayment; readonly madeAtMs: number; outcome: PaymentOutcome }[] = []
  readonly #appender = new PursuingAppender(this.#store, systemClock)

  constructor(will: Bank) {
    this.#will = will
    this.#store.write(streamName('company', COMPANY), 'none', [anEventOf(registered(COMPANY), randomUUID())])
    const settings = [topUpMethodSaved(), topUpSet()].map((event) => anEventOf(event, randomUUID()))
    this.#store.write(streamName('topUp', COMPANY), 'none', settings)
  }

  paid = () => this.#payments.filter(({ outcome }) => outcome.status === 'succeeded')
  events = async () => (await this.#store.readAll({ after: BEGINNING, limit: 10_000 })).events
  state = async () => {
    const events = (await this.events()).filter(({ stream }) => stream === streamName('topUp', COMPANY))
    return fold(topUpDecider, events as never)
  }

  suspend(): void {
    this.#store.write(streamName('company', COMPANY), 'any', [anEventOf(suspended(COMPANY), randomUUID())])
  }

  /** The holder of the method confirms what the bank asks. */
  confirms(): void {
    if (this.#will !== 'confirm') return
    for (const made of this.#payments) {
      if (made.outcome.status === 'needs confirmation') made.outcome = succeeded(made.outcome.paymentIntentId)
    }
  }

  async round(parts: StartingParts): Promise<void> {
    try {
      if (runningAttempt(await this.state()) === null) await startAttempt(parts, FALL)
      await runAttempt(parts, COMPANY)
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    }
  }

  /** The event of the payment arrives, perhaps long after its answer or instead of it. */
  async hear(parts: StartingParts): Promise<void> {
    for (const { payment, outcome } of this.paid()) {
      if (outcome.status !== 'succeeded') continue
      const { attemptId: topUpAttemptId, companyId, purchaseId } = payment
      const { paymentIntentId: id, status, created, currency, paidMinor } = outcome
      const metadata = { topUpAttemptId, companyId, purchaseId }
      const object = { id, status, created, currency, amount_received: Number(paidMinor), metadata }
      const event = { id: `evt_${id}`, type: 'payment_intent.succeeded', created: created + 1, data: { object } }
      await topUpPaid(parts, event).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      })
    }
  }

  reactor(diesAt: number, isDone: boolean): StartingParts {
    let steps = 0
    const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const n = steps++
      if (n > diesAt || (n === diesAt && !isDone)) throw new Killed()
      const result = await work()
      if (n === diesAt) throw new Killed()
      return result
    }
    const commands = new CommandHandler(this.#store, this.#appender, NOTHING_PERSONAL)
    const ledger = new LedgerWriter(this.#appender)
    const handle = commands.handle.bind(commands)
    commands.handle = ((...args: Parameters<typeof handle>) => step(() => handle(...args))) as typeof commands.handle
    const book = ledger.book.bind(ledger)
    ledger.book = (...args) => step(() => book(...args))
    const pack = { packId: PACK, status: 'ACTIVE', creditsMicros: '100000000', price: '10', currency: 'usd' }
    return {
      commands,
      ledger,
      provider: { invoice: () => Promise.reject(new Error('a top-up has no invoice at the provider')) },
      savedPayments: {
        methodOf: async () => null,
        pay: (payment) => step(async () => this.#pay(payment)),
        find: ({ attemptId }) =>
          step(async () => this.#payments.find(({ payment }) => payment.attemptId === attemptId)?.outcome ?? null),
        outcome: (id) => step(async () => this.#of(id).outcome),
        cancel: (id) => step(async () => this.#cancel(id)),
      },
      clock: { now: () => this.nowMs },
      database: { query: async () => [{ ...pack, validDays: null }] as never },
      hasOpenDispute: async () => false,
      returnUrl: 'http://shop.example/back',
    }
  }

  /** As the provider does it: the key is remembered for a day, and another payment is made after that. */
  #pay(payment: LaterPayment): PaymentOutcome {
    const known = this.#payments.findLast((made) => made.payment.attemptId === payment.attemptId)
    if (known && this.nowMs - known.madeAtMs < KEY_REMEMBERED_MS) return known.outcome
    const id = `pi_${this.#payments.length}`
    const outcome = {
      pay: succeeded(id),
      decline: { status: 'declined', paymentIntentId: id, reason: 'Your card was declined.' },
      confirm: { status: 'needs confirmation', paymentIntentId: id, url: null },
      'confirm and forget': { status: 'needs confirmation', paymentIntentId: id, url: null },
    }[this.#will] as PaymentOutcome
    this.#payments.push({ payment, madeAtMs: this.nowMs, outcome })
    return outcome
  }

  #cancel(id: string): PaymentOutcome {
    const made = this.#of(id)
    if (made.outcome.status === 'needs confirmation') made.outcome = { status: 'canceled', paymentIntentId: id }
    return made.outcome
  }

  #of(id: string) {
    const made = this.#payments.find(({ outcome }) => outcome.paymentIntentId === id)
    if (!made) throw new Error(`there is no payment ${id}`)
    return made
  }
}

function succeeded(paymentIntentId: string): PaymentOutcome {
  return { status: 'succeeded', paymentIntentId, paidMinor: '1000', currency: 'usd', created: 1_773_136_800 }
}
