import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUpgrade, type PlanOffer } from './planChange.ts'

const offer = (price: string, credits: bigint): PlanOffer => ({ price, currency: 'usd', creditsMicros: credits })

test('only a plan that costs more and grants no fewer credits is an upgrade', () => {
  expect(isUpgrade(offer('9.99', 5n), offer('10', 5n))).toBe(true)
  expect(isUpgrade(offer('9.99', 5n), offer('100', 50n))).toBe(true)
  expect(isUpgrade(offer('10', 5n), offer('10', 50n))).toBe(false)
  expect(isUpgrade(offer('10', 5n), offer('20', 4n))).toBe(false)
  expect(isUpgrade(offer('10', 5n), offer('9', 50n))).toBe(false)
})

test('no sequence of upgrades returns to a plan, so changes within a period create no credits', () => {
  const plan = fc.record({ price: fc.nat(5).map(String), credits: fc.bigInt(0n, 5n) })
  fc.assert(
    fc.property(fc.array(plan, { minLength: 2, maxLength: 6 }), (plans) => {
      const path = [...plans, ...plans.slice(0, 1)].map(({ price, credits }) => offer(price, credits))
      const isClimbing = path.slice(1).every((to, n) => isUpgrade(path[n] as PlanOffer, to))
      expect(isClimbing).toBe(false)
    }),
  )
})
