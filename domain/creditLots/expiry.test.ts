import { describe, expect, test } from 'vitest'
import { charged, expired, expiryGivenBack, granted, reversed, taken } from '../../test/property/money/lotFacts.ts'
import { CreditLots } from './creditLots.ts'
import { expiriesDue, giveBacksDue } from './expiry.ts'
import type { LotFact } from './facts.ts'

const SOON = granted('soon', 5n, { expiresAtMs: 10 })
const SETTLED_WITHIN_MS = 10

function lotsAfter(...facts: readonly LotFact[]): CreditLots {
  const lots = new CreditLots({ reversedWithinMs: 1_000 })
  for (const fact of facts) lots.add(fact)
  return lots
}
const due = (lots: CreditLots, atMs: number) => expiriesDue(lots.lots(), { atMs, settledWithinMs: SETTLED_WITHIN_MS })
const owed = (lots: CreditLots) => giveBacksDue(lots.lots())

describe('credits of a lot', () => {
  test('expire only after the longest call that may use them is settled', () => {
    const lots = lotsAfter(SOON, granted('forever', 5n), charged('a', 2n))
    expect(due(lots, 19)).toEqual([])
    expect(due(lots, 20)).toEqual([{ lotId: 'soon', amountMicros: 3n, bookedMicros: 0n }])
  })

  test('are usable until their expiry, whether that was decided or not', () => {
    const lots = lotsAfter(SOON)
    expect([lots.usableMicros(9), lots.usableMicros(10), lots.balanceMicros]).toEqual([5n, 0n, 5n])
    lots.add(expired('soon', 5n))
    expect([lots.usableMicros(9), lots.usableMicros(10), lots.balanceMicros]).toEqual([0n, 0n, 0n])
  })

  test('expire once, but for those that a reversal restores', () => {
    const lots = lotsAfter(SOON, charged('a', 2n), expired('soon', 3n))
    expect(due(lots, 99)).toEqual([])
    lots.add(reversed('a', 2n, 30))
    expect(due(lots, 99)).toEqual([{ lotId: 'soon', amountMicros: 2n, bookedMicros: 3n }])
  })

  test('that have expired can no longer be taken', () => {
    const lots = lotsAfter(SOON, charged('a', 1n), taken('refund', 'soon', 2n), expired('soon', 2n))
    expect(lots.lot('soon')).toMatchObject({ leftMicros: 0n, mayLoseMicros: 1n })
  })
})

describe('a charge that comes after the expiry of its lot was decided', () => {
  test('burns the lot, which is owed what had expired of it', () => {
    const lots = lotsAfter(SOON, expired('soon', 5n), charged('a', 2n, 9, 25))
    expect(owed(lots)).toEqual([{ lotId: 'soon', amountMicros: 2n, bookedMicros: 0n }])
    expect(lots.lot('soon')).toMatchObject({ spentMicros: 2n, expiredMicros: 3n, owedMicros: 2n })
    expect([lots.balanceMicros, lots.bookedMicros, lots.debtMicros]).toEqual([0n, -2n, 0n])
  })

  test('leaves nothing owed once it is given back, and the next such event is another one', () => {
    const lots = lotsAfter(SOON, expired('soon', 5n), charged('a', 2n, 9, 25), expiryGivenBack('soon', 2n))
    expect([owed(lots), lots.balanceMicros, lots.bookedMicros]).toEqual([[], 0n, 0n])
    lots.add(charged('b', 1n, 9, 26))
    expect(owed(lots)).toEqual([{ lotId: 'soon', amountMicros: 1n, bookedMicros: 2n }])
  })

  test('burns what is free of the lot before what has expired', () => {
    const facts = [SOON, charged('a', 2n), expired('soon', 3n), reversed('a', 2n, 21)]
    expect(owed(lotsAfter(...facts, charged('b', 2n, 9, 25)))).toEqual([])
    expect(owed(lotsAfter(...facts, charged('b', 3n, 9, 25)))).toMatchObject([{ amountMicros: 1n }])
  })

  test('still has to be given back if it is reversed meanwhile, and expires again', () => {
    const lots = lotsAfter(SOON, expired('soon', 5n), charged('a', 2n, 9, 25), reversed('a', 2n, 26))
    expect(owed(lots)).toMatchObject([{ amountMicros: 2n }])
    expect(due(lots, 99)).toEqual([{ lotId: 'soon', amountMicros: 2n, bookedMicros: 5n }])
    lots.add(expiryGivenBack('soon', 2n))
    lots.add(expired('soon', 2n, 99))
    expect([owed(lots), due(lots, 99), lots.bookedMicros]).toEqual([[], [], 0n])
  })

  test('is owed the same if it was stored between the decision and its event', () => {
    const lots = lotsAfter(SOON, charged('a', 2n, 9, 25), expired('soon', 5n, 26))
    expect(lots.lot('soon')).toMatchObject({ spentMicros: 2n, expiredMicros: 3n, owedMicros: 2n })
  })

  test('lowers what may be taken until what is owed is given back, so that no sum of events exceeds the grant', () => {
    const lots = lotsAfter(SOON, expired('soon', 5n), charged('a', 2n, 9, 25))
    expect(lots.lot('soon')?.mayLoseMicros).toBe(0n)
    lots.add(expiryGivenBack('soon', 2n))
    expect(lots.lot('soon')?.mayLoseMicros).toBe(2n)
  })
})
