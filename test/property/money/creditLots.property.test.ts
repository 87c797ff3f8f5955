import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CreditLots } from '../../../domain/creditLots/creditLots.ts'
import { giveBacksDue } from '../../../domain/creditLots/expiry.ts'
import type { LotFact, TakenBy } from '../../../domain/creditLots/facts.ts'
import { propertyRuns } from '../../support/cases/propertyRuns.ts'
import { type LifeStep, lifeOfCredits } from './creditLives.ts'
import { CreditUnits, type Grant } from './creditUnits.ts'

/** One credit of the model is so many micros of the fold: any number, not only a whole credit. */
const microsPerUnit = fc.constantFrom(1n, 1_000_000n, 333_337n)
const TAKEN_BY: Readonly<Record<string, TakenBy>> = { r: 'refund', s: 'dispute' }

type LotSum = 'granted' | 'spent' | 'expired' | 'taken' | 'left' | 'owed' | 'mayLose'
type Figures = {
  readonly balanceMicros: bigint
  readonly debtMicros: bigint
  readonly lots: readonly ({ readonly lotId: string } & { readonly [Sum in LotSum as `${Sum}Micros`]: bigint })[]
  readonly usable: readonly bigint[]
}

/** Leads the same life with credits as single objects and with lots as sums, and compares them after each step. */
class TwoLives {
  readonly #units = new CreditUnits()
  readonly #lots = new CreditLots({ reversedWithinMs: Number.POSITIVE_INFINITY })
  readonly #grants: Grant[] = []
  readonly #calls: { id: string; credits: number }[] = []
  readonly #givenBack = new Map<string, bigint>()
  readonly #perUnit: bigint
  #bookedMicros = 0n

  constructor(perUnit: bigint) {
    this.#perUnit = perUnit
  }

  step(each: LifeStep, now: number): void {
    switch (each.type) {
      case 'grant': {
        const expiresAt = each.lasts === null ? null : now + each.lasts
        const grant = { ...each, lotId: `lot${this.#grants.length}`, expiresAt }
        this.#grants.push(grant)
        this.#units.grant(grant, now)
        const terms = {
          lotId: grant.lotId,
          source: 'ADJUSTMENT',
          priority: each.priority,
          expiresAtMs: expiresAt,
        } as const
        this.#add({ type: 'granted', ...terms, amountMicros: this.#micros(each.credits), atMs: now })
        break
      }
      case 'charge': {
        const [chargeId, admittedAtMs] = [`call${this.#calls.length}`, now - each.late]
        this.#calls.push({ id: chargeId, credits: each.credits })
        this.#units.charge(chargeId, each.credits, admittedAtMs)
        const amountMicros = this.#micros(each.credits)
        this.#add({ type: 'charged', chargeId, admittedAtMs, amountMicros, atMs: now })
        break
      }
      case 'reverse': {
        const call = this.#calls[each.which % this.#calls.length]
        if (!call || call.credits === 0) break
        this.#units.reverse(call.id, now)
        this.#add({ type: 'reversed', chargeId: call.id, amountMicros: this.#micros(call.credits), atMs: now })
        call.credits = 0
        break
      }
      case 'expire': {
        const lot = this.#lot(each.which)
        if (!lot || lot.expiresAt === null || lot.expiresAt > now) break
        const amountMicros = this.#micros(this.#units.expire(lot.lotId))
        this.#add({ type: 'expired', lotId: lot.lotId, amountMicros, atMs: now })
        break
      }
      case 'take': {
        const lotId = this.#lot(each.which)?.lotId
        if (!lotId) break
        const taking = { takingId: `${each.takingId}:${lotId}`, lotId, by: TAKEN_BY[each.takingId] ?? 'correction' }
        const amountMicros = this.#micros(this.#units.take(taking.takingId, lotId, each.credits, now))
        this.#add({ type: 'taken', ...taking, amountMicros, atMs: now })
        break
      }
      case 'giveBack': {
        const lotId = this.#lot(each.which)?.lotId
        if (!lotId) break
        const taking = { takingId: `${each.takingId}:${lotId}`, lotId, by: TAKEN_BY[each.takingId] ?? 'correction' }
        const amountMicros = this.#micros(this.#units.giveBack(taking.takingId, each.credits, now))
        this.#add({ type: 'returned', ...taking, amountMicros, atMs: now })
      }
    }
  }

  /** Books what is owed, which changes nothing in the model. */
  bookGiveBacks(now: number): void {
    for (const { lotId, amountMicros } of giveBacksDue(this.#lots.lots())) {
      this.#givenBack.set(lotId, (this.#givenBack.get(lotId) ?? 0n) + amountMicros)
      this.#add({ type: 'expiryGivenBack', lotId, amountMicros, atMs: now })
    }
  }

  compare(times: readonly number[]): void {
    expect(this.#ofLots(times)).toEqual(this.#ofUnits(times))
    expect(this.#lots.bookedMicros).toBe(this.#bookedMicros)
  }

  #ofLots(times: readonly number[]): Figures {
    const { balanceMicros, debtMicros } = this.#lots
    const lots = this.#lots.lots().map((lot) => {
      const { lotId, grantedMicros, spentMicros, expiredMicros, takenMicros, leftMicros, owedMicros } = lot
      const takenInAll = takenMicros.refund + takenMicros.dispute + takenMicros.correction
      const sums = { grantedMicros, spentMicros, expiredMicros, takenMicros: takenInAll, leftMicros, owedMicros }
      return { lotId, ...sums, mayLoseMicros: lot.mayLoseMicros }
    })
    return { balanceMicros, debtMicros, lots, usable: times.map((at) => this.#lots.usableMicros(at)) }
  }

  #ofUnits(times: readonly number[]): Figures {
    const units = this.#units
    const lots = units.lots().map(({ lotId, granted, spent, expired, taken, free }) => {
      const owed = this.#micros(units.owed.filter((each) => each.lotId === lotId).length)
      const owedMicros = owed - (this.#givenBack.get(lotId) ?? 0n)
      const mayLose = this.#micros(granted - expired - taken) - owedMicros
      return {
        lotId,
        grantedMicros: this.#micros(granted),
        spentMicros: this.#micros(spent),
        expiredMicros: this.#micros(expired),
        takenMicros: this.#micros(taken),
        leftMicros: this.#micros(free),
        owedMicros,
        mayLoseMicros: mayLose > 0n ? mayLose : 0n,
      }
    })
    const [balanceMicros, debtMicros] = [this.#micros(units.balance), this.#micros(units.debt)]
    return { balanceMicros, debtMicros, lots, usable: times.map((at) => this.#micros(units.usableAt(at))) }
  }

  #add(fact: LotFact): void {
    this.#lots.add(fact)
    const isIn = ['granted', 'reversed', 'returned', 'expiryGivenBack'].includes(fact.type)
    this.#bookedMicros += isIn ? fact.amountMicros : -fact.amountMicros
  }

  #lot(which: number): Grant | undefined {
    return this.#grants[which % this.#grants.length]
  }

  #micros(credits: number): bigint {
    return BigInt(credits) * this.#perUnit
  }
}

test('lots as sums agree with credits as single objects after every step of any life', () => {
  const look = fc.record({ offset: fc.integer({ min: -15, max: 15 }), booksGiveBacks: fc.boolean() })
  const life = fc.tuple(microsPerUnit, lifeOfCredits, fc.infiniteStream(look))
  fc.assert(
    fc.property(life, ([perUnit, steps, looks]) => {
      const lives = new TwoLives(perUnit)
      for (const [now, each] of steps.entries()) {
        lives.step(each, now)
        const { offset = 0, booksGiveBacks = false } = looks.next().value ?? {}
        lives.compare([now, now + offset])
        if (!booksGiveBacks) continue
        lives.bookGiveBacks(now)
        lives.compare([now, now + offset])
      }
    }),
    { numRuns: propertyRuns({ few: 120, many: 10_000 }) },
  )
})
