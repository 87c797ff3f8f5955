import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { isValidAt } from './burnOrder.ts'
import { CreditLots } from './creditLots.ts'
import type { LotFact } from './facts.ts'
import type { LotView } from './lot.ts'

/** Few ids and amounts of all sizes, so that facts often exceed what they refer to. */
const lotId = fc.constantFrom('one', 'two', 'three', 'unlimited')
const chargeId = fc.constantFrom('a', 'b', 'c', 'd')
const amountMicros = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 18n }))
const atMs = fc.integer({ min: 0, max: 50 })
const booked = { amountMicros, atMs }
const taking = {
  ...{ lotId, ...booked, takingId: fc.constantFrom('a', 'r', 's') },
  by: fc.constantFrom('refund' as const, 'dispute' as const, 'correction' as const),
}
const granted = fc.record({
  ...{ type: fc.constant('granted' as const), lotId, ...booked, source: fc.constant('PACK_PURCHASE' as const) },
  ...{ priority: fc.integer({ min: 0, max: 1 }), expiresAtMs: fc.option(atMs) },
})
const fact: fc.Arbitrary<LotFact> = fc.oneof(
  granted,
  fc.record({ type: fc.constant('charged' as const), chargeId, ...booked, admittedAtMs: atMs }),
  fc.record({ type: fc.constant('reversed' as const), chargeId, ...booked }),
  fc.record({ type: fc.constant('taken' as const), ...taking }),
  fc.record({ type: fc.constant('returned' as const), ...taking }),
  fc.record({ type: fc.constant('expired' as const), lotId, ...booked }),
  fc.record({ type: fc.constant('expiryGivenBack' as const), lotId, ...booked }),
)
const facts = fc.array(fact, { maxLength: 40, size: 'max' })
const runs = { numRuns: propertyRuns({ few: 60, many: 5_000 }) }

function deltaMicros({ type, amountMicros: micros }: LotFact): bigint {
  return ['granted', 'reversed', 'returned', 'expiryGivenBack'].includes(type) ? micros : -micros
}

function isSound(lot: LotView): boolean {
  const { grantedMicros, spentMicros, expiredMicros, takenMicros, leftMicros, lackingMicros } = lot
  const taken = takenMicros.refund + takenMicros.dispute + takenMicros.correction
  const isWithin = spentMicros + expiredMicros <= grantedMicros && expiredMicros + taken <= grantedMicros
  const isRest = leftMicros - lackingMicros === grantedMicros - spentMicros - expiredMicros - taken
  return (
    isWithin && isRest && [spentMicros, expiredMicros, taken, leftMicros, lackingMicros].every((part) => part >= 0n)
  )
}

test('the balance is the sum of the ledger, and no lot loses more than it was granted, for any facts in any order', () => {
  fc.assert(
    fc.property(facts, atMs, (all, at) => {
      const lots = new CreditLots({ reversedWithinMs: 20 })
      let sum = 0n
      for (const each of all) {
        lots.add(each)
        sum += deltaMicros(each)
        expect(lots.bookedMicros).toBe(sum)
        const views = lots.lots()
        expect(views.filter((view) => !isSound(view))).toEqual([])
        const usable = views.filter((lot) => isValidAt(lot, at)).reduce((micros, lot) => micros + lot.leftMicros, 0n)
        expect(lots.usableMicros(at)).toBe(usable - lots.debtMicros)
        const owed = views.reduce((micros, lot) => micros + lot.owedMicros, 0n)
        expect(lots.balanceMicros - lots.bookedMicros).toBe(owed)
      }
    }),
    runs,
  )
})

test('a fold that continues from a snapshot ends like one that went on', () => {
  fc.assert(
    fc.property(facts, fc.nat(40), (all, taken) => {
      const whole = new CreditLots({ reversedWithinMs: 20 })
      let parts = new CreditLots({ reversedWithinMs: 20 })
      for (const [index, each] of all.entries()) {
        if (index === taken) parts = new CreditLots({ reversedWithinMs: 20, from: parts.snapshot() })
        for (const lots of [whole, parts]) lots.add(each)
      }
      expect(parts.snapshot()).toEqual(whole.snapshot())
      expect([parts.balanceMicros, parts.bookedMicros]).toEqual([whole.balanceMicros, whole.bookedMicros])
    }),
    runs,
  )
})

test('forgetting charges that can no longer be reversed changes nothing', () => {
  const kept = 6
  /** Each step of time, a charge of a new call; a reversal names a call of the steps before. */
  const step = fc.oneof(
    granted,
    fc.record({ type: fc.constant('expired' as const), lotId, ...booked }),
    fc.record({ type: fc.constant('charged' as const), amountMicros, late: fc.nat(3) }),
    fc.record({ type: fc.constant('reversed' as const), before: fc.integer({ min: 1, max: kept }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const [all, some] = [Number.POSITIVE_INFINITY, kept].map(
        (reversedWithinMs) => new CreditLots({ reversedWithinMs }),
      )
      const charged = new Map<number, bigint>()
      for (const [now, each] of steps.entries()) {
        let next: LotFact
        if (each.type === 'charged') {
          charged.set(now, each.amountMicros)
          next = { ...each, chargeId: `${now}`, admittedAtMs: now - each.late, atMs: now }
        } else if (each.type === 'reversed') {
          const charge = now - each.before
          next = { type: 'reversed', chargeId: `${charge}`, amountMicros: charged.get(charge) ?? 0n, atMs: now }
          charged.delete(charge)
        } else next = { ...each, atMs: now }
        all?.add(next)
        some?.add(next)
        expect([some?.lots(), some?.debtMicros]).toEqual([all?.lots(), all?.debtMicros])
        // A charge is kept for less than twice the bound, and as long as a charge it may have a debt of its own.
        expect(some?.remembered.charges).toBeLessThanOrEqual(2 * kept)
        expect(some?.remembered.debts).toBeLessThanOrEqual(4 * kept)
      }
    }),
    runs,
  )
})
