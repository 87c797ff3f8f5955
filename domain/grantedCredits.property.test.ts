import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PurchaseEvent } from '../contracts/events/purchase.ts'
import { propertyRuns } from '../test/support/cases/propertyRuns.ts'
import { GRANT, PURCHASE, purchaseStarted, USER } from '../test/support/events/billingEvents.ts'
import { fold, Refusal } from './decider.ts'
import { takenByDisputes } from './disputedCredits.ts'
import { type GrantedCredits, takenByRefunds } from './grantedCredits.ts'
import { type PurchaseCommand, purchaseDecider } from './purchase/decider.ts'
import { creditsTakenBack, type RefundSoFar } from './refund.ts'

const CHARGED = 1_000
const GRANTED = 1_000_000_000n

type Step =
  | { readonly kind: 'refund'; readonly amount: number }
  | { readonly kind: 'fail'; readonly which: number }
  | { readonly kind: 'deliver'; readonly which: number }
  | { readonly kind: 'dispute'; readonly amount: number }
  | { readonly kind: 'decide'; readonly which: number; readonly takes: boolean }
  | { readonly kind: 'ask' }
  | { readonly kind: 'complete' }
  | { readonly kind: 'correct'; readonly which: number; readonly share: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('refund' as const), amount: fc.constantFrom(1, 250, 500, CHARGED) }),
  fc.record({ kind: fc.constant('fail' as const), which: fc.nat(9) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('deliver' as const), which: fc.nat(30) }) },
  fc.record({ kind: fc.constant('dispute' as const), amount: fc.constantFrom(1, 250, 500, CHARGED) }),
  fc.record({ kind: fc.constant('decide' as const), which: fc.nat(3), takes: fc.boolean() }),
  fc.record({ kind: fc.constant('ask' as const) }),
  fc.record({ kind: fc.constant('complete' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('correct' as const),
      which: fc.nat(4),
      share: fc.constantFrom(-1, -0.5, -0.1, 0.1, 0.5, 1),
    }),
  },
)

/** A provider, the purchase, and the ledger that its events lead to. Each step happens in its own second. */
class World {
  readonly events: PurchaseEvent[] = [purchaseStarted()]
  readonly #refunds: { readonly amount: number; isFailed: boolean }[] = []
  readonly #disputes: { readonly amount: number; takes: boolean; report: number }[] = []
  readonly #reports: PurchaseCommand[] = []
  #seconds = 0
  /** Whether a person has given refunded credits back. */
  hasWaived = false

  take(one: Step): void {
    this.#seconds += 10
    switch (one.kind) {
      case 'refund': {
        const amount = Math.min(one.amount, CHARGED - this.refunded)
        if (amount === 0) return
        this.#refunds.push({ amount, isFailed: false })
        this.#reports.push(this.#report(this.#amounts(), null))
        return
      }
      case 'fail': {
        const made = this.#refunds.filter(({ isFailed }) => !isFailed)
        const failing = made[one.which % made.length]
        if (failing) failing.isFailed = true
        return
      }
      case 'deliver': {
        const report = this.#reports[one.which % this.#reports.length]
        if (report) this.#send(report)
        return
      }
      case 'dispute':
        if (this.#disputes.length >= 3) return
        this.#disputes.push({ amount: one.amount, takes: true, report: 1 })
        this.#reports.push(this.#disputed(this.#disputes.length - 1))
        return
      case 'decide': {
        const n = one.which % this.#disputes.length
        const dispute = this.#disputes[n]
        if (!dispute) return
        dispute.takes = one.takes
        dispute.report += 1
        this.#reports.push(this.#disputed(n))
        return
      }
      case 'ask':
        this.ask()
        return
      case 'complete':
        this.complete()
        return
      case 'correct':
        this.#correct(one)
    }
  }

  /** Every dispute as it is now is reported. */
  hearOfDisputes(): void {
    for (const n of this.#disputes.keys()) this.#send(this.#disputed(n))
  }

  /** What all disputes take of the grant, without a limit. */
  get disputed(): bigint {
    return this.#disputes.reduce(
      (sum, { amount, takes }) =>
        sum +
        (takes ? creditsTakenBack(GRANTED, { chargedMinor: String(CHARGED), refundedMinor: String(amount) }) : 0n),
      0n,
    )
  }

  #disputed(n: number): PurchaseCommand {
    const { amount = 0, takes = false, report = 1 } = this.#disputes[n] ?? {}
    const money = { chargedMinor: String(CHARGED), disputedMinor: takes ? String(amount) : '0' }
    const dispute = { disputeId: `du_${n}`, report, ...money, saidAt: this.#now() }
    return { type: 'DisputePurchase', purchaseId: PURCHASE, dispute, refundId: this.#id() }
  }

  ask(): void {
    this.#seconds += 10
    this.#send(this.#report(null, this.#amounts()))
  }

  complete(): void {
    const payment = { sessionId: 'cs_1', paymentIntentId: null, paidMinor: String(CHARGED), currency: 'usd' }
    const ids = { grantId: GRANT, refundId: this.#id() }
    this.#send({ type: 'CompletePurchase', purchaseId: PURCHASE, ...payment, ...ids, saidAt: this.#now() })
  }

  get refunded(): number {
    return this.#refunds.reduce((sum, { amount, isFailed }) => sum + (isFailed ? 0 : amount), 0)
  }

  get granted(): GrantedCredits {
    const state = fold(purchaseDecider, this.events)
    if (state.status === 'unknown') throw new Error('the purchase was started')
    return state.granted
  }

  #correct({ which, share }: Extract<Step, { kind: 'correct' }>): void {
    const refund = this.granted.refunds[which - 1]
    const whole = refund ? refund.amountMicros : GRANTED
    const amountMicros = String((whole * BigInt(share * 10)) / 10n)
    const by = { adjustmentId: this.#id(), reason: 'a repair', by: USER, refundId: this.#id(), at: this.#now() }
    const corrected = refund?.refundId ?? null
    this.#send({ type: 'CorrectCredits', purchaseId: PURCHASE, corrected, amountMicros, ...by })
    this.hasWaived ||= corrected !== null
  }

  #amounts(): RefundSoFar {
    return { chargedMinor: String(CHARGED), refundedMinor: String(this.refunded) }
  }

  #report(refund: RefundSoFar | null, answer: RefundSoFar | null): PurchaseCommand {
    const about = { purchaseId: PURCHASE, refund, refundId: this.#id(), saidAt: this.#now() }
    const givenAnswer = answer && { facts: answer, askedAt: this.#now() }
    return { type: 'RefundPurchase', ...about, answer: givenAnswer }
  }

  #send(command: PurchaseCommand): void {
    try {
      this.events.push(...purchaseDecider.decide(command, fold(purchaseDecider, this.events)))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }

  #now(): string {
    return new Date(Date.UTC(2026, 2, 1) + this.#seconds * 1_000).toISOString()
  }

  #ids = 0
  #id(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`
  }
}

/** What the bookings that follow from the events leave of the grant. */
function balanceOf(events: readonly PurchaseEvent[]): bigint {
  return events.reduce((sum, { type, data }) => {
    if (type === 'PurchaseCompleted') return sum + BigInt(data.creditsMicros)
    if (type === 'PurchaseCreditsTakenBack' || type === 'PurchaseCreditsWithdrawn') {
      return sum - BigInt(data.amountMicros)
    }
    if (type === 'PurchaseCreditsReinstated') return sum + BigInt(data.amountMicros)
    return type === 'PurchaseCreditsCorrected' ? sum + BigInt(data.amountMicros) : sum
  }, 0n)
}

/** After every single booking, because a booking that fails may be the last one for a while. */
function expectNeverOverdrawn(events: readonly PurchaseEvent[]): void {
  for (let n = 1; n <= events.length; n++) {
    const isGranted = events.slice(0, n).some(({ type }) => type === 'PurchaseCompleted')
    if (isGranted) expect(balanceOf(events.slice(0, n))).toBeGreaterThanOrEqual(0n)
  }
}

function expectWithin(world: World): void {
  const { granted, events } = world
  const refunded = takenByRefunds(granted)
  const disputed = takenByDisputes(granted.disputes)
  const sum = refunded + disputed + granted.correctedMicros
  for (const { withdrawnMicros, reinstatedMicros } of granted.disputes) {
    expect(withdrawnMicros >= reinstatedMicros).toBe(true)
  }
  expect(refunded >= 0n && disputed >= 0n && granted.correctedMicros >= 0n && sum <= granted.grantedMicros).toBe(true)
  expect(balanceOf(events)).toBe(granted.grantedMicros - sum)
  for (const { amountMicros, givenBackMicros } of granted.refunds) {
    expect(givenBackMicros >= 0n && givenBackMicros <= amountMicros).toBe(true)
  }
}

test('refunds, disputes and corrections of a grant, in any order, take no more than the grant or the money', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const world = new World()
      for (const one of steps) {
        world.take(one)
        expectWithin(world)
      }
      world.complete()
      world.ask()
      world.hearOfDisputes()
      expectWithin(world)
      expectNeverOverdrawn(world.events)
      const { granted } = world
      const due = creditsTakenBack(GRANTED, { chargedMinor: String(CHARGED), refundedMinor: String(world.refunded) })
      const left = GRANTED - granted.correctedMicros
      const expected = due < left ? due : left
      const taken = takenByRefunds(granted)
      const leftForDisputes = left - taken
      const dueByDisputes = world.disputed < leftForDisputes ? world.disputed : leftForDisputes
      expect(takenByDisputes(granted.disputes)).toBe(dueByDisputes)
      if (world.hasWaived) expect(taken <= expected).toBe(true)
      else expect(taken).toBe(expected)
    }),
    { numRuns: propertyRuns({ few: 300, many: 2_000 }) },
  )
})

test('a refund that is made again after a person repaired it takes its credits again', () => {
  const world = new World()
  const steps: Step[] = [
    { kind: 'complete' },
    { kind: 'refund', amount: CHARGED },
    { kind: 'deliver', which: 0 },
    { kind: 'fail', which: 0 },
    { kind: 'correct', which: 1, share: 1 },
  ]
  for (const one of steps) world.take(one)
  expect(balanceOf(world.events)).toBe(GRANTED)
  world.take({ kind: 'refund', amount: CHARGED })
  world.take({ kind: 'deliver', which: 1 })
  expect(balanceOf(world.events)).toBe(0n)
})
