import { expect, test } from 'vitest'
import { charged, granted, reversed } from '../../test/property/money/lotFacts.ts'
import { CreditLots } from './creditLots.ts'
import { noSpending } from './lot.ts'
import { RememberedCharges } from './rememberedCharges.ts'

test('a charge is remembered for the bound at least, and forgotten before twice the bound', () => {
  for (let chargedAt = 0; chargedAt <= 10; chargedAt++) {
    const charges = new RememberedCharges(10)
    for (let at = 0; at <= chargedAt + 20; at++) {
      charges.advance(at)
      if (at === chargedAt) charges.remember('a', noSpending({ chargeId: 'a' }))
      if (at >= chargedAt && at < chargedAt + 10) expect(charges.find('a')).toBeDefined()
    }
    expect([charges.find('a'), charges.size]).toEqual([undefined, 0])
  }
})

test('the memory is that of the last charges, and forgotten debts are one debt', () => {
  const lots = new CreditLots({ reversedWithinMs: 100 })
  for (let at = 0; at < 10_000; at++) lots.add(charged(`call${at}`, 1n, at))
  expect(lots.remembered.charges).toBeLessThanOrEqual(200)
  expect(lots.remembered.debts).toBeLessThanOrEqual(201)
  expect(lots.debtMicros).toBe(10_000n)
  lots.add(granted('first', 9_950n, { atMs: 10_000 }))
  expect([lots.debtMicros, lots.remembered.debts]).toEqual([50n, 50])
})

test('a charge that is reversed after it was forgotten gives its credits to the unlimited lot', () => {
  const facts = [granted('soon', 5n, { expiresAtMs: 9 }), charged('a', 2n, 1), charged('b', 1n, 300)]
  const lots = new CreditLots({ reversedWithinMs: 100 })
  for (const fact of [...facts, charged('c', 1n, 600), reversed('a', 2n, 601)]) lots.add(fact)
  expect(lots.lot('soon')).toMatchObject({ spentMicros: 2n })
  expect([lots.debtMicros, lots.lot('unlimited')]).toMatchObject([0n, { grantedMicros: 2n, leftMicros: 0n }])
})
