import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { BurnableLots } from './burnableLots.ts'
import { burnOrder, compareBurnOrder, isValidAt } from './burnOrder.ts'

/** Few values, so that lots often have the same priority and expiry. */
const terms = fc.record({
  priority: fc.integer({ min: -1, max: 2 }),
  expiresAtMs: fc.option(fc.integer({ min: 1, max: 5 })),
})
const lots = fc.array(terms, { maxLength: 20, size: 'max' }).map((all) => all.map((each, age) => ({ ...each, age })))
const moment = fc.integer({ min: 0, max: 6 })
const runs = { numRuns: propertyRuns({ few: 60, many: 5_000 }) }

test('the burn order does not depend on the order in which lots are given', () => {
  const shuffled = lots.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(shuffled, moment, ([all, some], at) => {
      expect(burnOrder(some, at)).toEqual(burnOrder(all, at))
    }),
    runs,
  )
})

test('any two lots have one order, and no third one contradicts it', () => {
  fc.assert(
    fc.property(lots, (all) => {
      const order = all.toSorted(compareBurnOrder)
      for (const [index, one] of order.entries()) {
        const signs = order.map((other) => Math.sign(compareBurnOrder(one, other)))
        expect(signs).toEqual(order.map((_, otherIndex) => Math.sign(index - otherIndex)))
      }
    }),
    runs,
  )
})

test('neighbours of the burn order differ by priority, else by expiry, else by age', () => {
  const last = Number.POSITIVE_INFINITY
  fc.assert(
    fc.property(lots, moment, (all, at) => {
      const order = burnOrder(all, at)
      expect(new Set(order)).toEqual(new Set(all.filter((lot) => isValidAt(lot, at))))
      for (const [index, next] of order.slice(1).entries()) {
        const one = order[index] ?? next
        const keys = [
          [next.priority, one.priority],
          [one.expiresAtMs ?? last, next.expiresAtMs ?? last],
          [one.age, next.age],
        ] as const
        const [smaller, greater] = keys.find(([left, right]) => left !== right) ?? [0, 0]
        expect(smaller).toBeLessThan(greater)
      }
    }),
    runs,
  )
})

test('the index of burnable lots has them in burn order after any changes', () => {
  const changes = fc.array(fc.tuple(fc.nat(19), fc.boolean()), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(lots, changes, moment, (all, steps, at) => {
      const index = new BurnableLots<(typeof all)[number]>()
      const burnable = new Set<(typeof all)[number]>()
      for (const [which, isBurnable] of steps) {
        const lot = all[which]
        if (!lot) continue
        index.set(lot, isBurnable)
        if (isBurnable) burnable.add(lot)
        else burnable.delete(lot)
        expect(index.first(at)).toBe(burnOrder(burnable, at)[0])
      }
      expect([...index.validAt(at)]).toEqual(burnOrder(burnable, at))
    }),
    runs,
  )
})
