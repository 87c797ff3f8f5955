import { describe, expect, test } from 'vitest'
import {
  charged,
  expired,
  expiryGivenBack,
  granted,
  returned,
  reversed,
  taken,
} from '../../test/property/money/lotFacts.ts'
import { CreditLots } from './creditLots.ts'
import { type LotFact, UNLIMITED_LOT } from './facts.ts'

const DAY_MS = 86_400_000

function lotsAfter(...facts: readonly LotFact[]): CreditLots {
  const lots = new CreditLots({ reversedWithinMs: DAY_MS })
  for (const fact of facts) lots.add(fact)
  return lots
}

/** What is left of each lot. */
const left = (lots: CreditLots) => Object.fromEntries(lots.lots().map((each) => [each.lotId, each.leftMicros]))

describe('a grant', () => {
  test('is a lot with its terms, and nothing of it is gone', () => {
    const terms = { source: 'PROMOTION', priority: 1, expiresAtMs: 9 } as const
    const lots = lotsAfter(granted('gift', 5n, terms))
    expect(lots.lot('gift')).toEqual({
      ...{ lotId: 'gift', ...terms, rollover: null, grantedMicros: 5n, leftMicros: 5n, mayLoseMicros: 5n },
      ...{ spentMicros: 0n, expiredMicros: 0n, owedMicros: 0n, givenBackMicros: 0n, lackingMicros: 0n },
      takenMicros: { refund: 0n, dispute: 0n, correction: 0n },
    })
    expect([lots.balanceMicros, lots.debtMicros, lots.lot('other')]).toEqual([5n, 0n, null])
  })

  test('without terms joins the unlimited lot, from which all refunds of such grants are taken', () => {
    const old = (amountMicros: bigint) => granted(UNLIMITED_LOT.lotId, amountMicros, UNLIMITED_LOT)
    const lots = lotsAfter(old(5n), old(3n), taken('refund', UNLIMITED_LOT.lotId, 6n))
    expect(lots.lots()).toMatchObject([{ lotId: 'unlimited', expiresAtMs: null, grantedMicros: 8n, leftMicros: 2n }])
  })

  test('pays debts, the oldest first', () => {
    const lots = lotsAfter(charged('a', 3n), charged('b', 2n), granted('first', 4n), granted('next', 4n))
    expect([lots.debtMicros, left(lots)]).toEqual([0n, { first: 0n, next: 3n }])
    lots.add(reversed('a', 3n))
    expect(left(lots)).toEqual({ first: 3n, next: 3n })
  })
})

describe('a charge', () => {
  test('burns several lots, and is a debt beyond them', () => {
    const lots = lotsAfter(granted('first', 2n), granted('next', 2n), charged('a', 5n))
    expect([left(lots), lots.balanceMicros, lots.debtMicros]).toEqual([{ first: 0n, next: 0n }, -1n, 1n])
    expect(lots.usableMicros(1)).toBe(-1n)
  })

  test('burns the lots that were valid when it was admitted, though their time has passed since', () => {
    const lots = lotsAfter(granted('soon', 5n, { expiresAtMs: 9 }), granted('next', 5n), charged('a', 3n, 8, 30))
    expect(left(lots)).toEqual({ soon: 2n, next: 5n })
  })

  test('burns no lot whose time had passed when it was admitted', () => {
    const lots = lotsAfter(granted('soon', 5n, { expiresAtMs: 9 }), charged('a', 3n, 9))
    expect([left(lots), lots.debtMicros, lots.balanceMicros]).toEqual([{ soon: 5n }, 3n, 2n])
    expect([lots.usableMicros(8), lots.usableMicros(9)]).toEqual([2n, -3n])
  })

  test('of nothing changes nothing', () => {
    const lots = lotsAfter(granted('first', 2n), charged('a', 0n))
    expect([lots.balanceMicros, lots.remembered]).toEqual([2n, { charges: 0, debts: 0 }])
  })
})

describe('a reversal', () => {
  test('restores each lot that the charge burned, and the lot that paid its debt later', () => {
    const lots = lotsAfter(
      granted('first', 2n),
      granted('next', 1n),
      charged('a', 5n),
      granted('later', 4n, { atMs: 2 }),
    )
    expect(left(lots)).toEqual({ first: 0n, next: 0n, later: 2n })
    lots.add(reversed('a', 5n, 3))
    expect(left(lots)).toEqual({ first: 2n, next: 1n, later: 4n })
  })

  test('ends the debt of the charge', () => {
    expect(lotsAfter(charged('a', 5n), reversed('a', 5n)).debtMicros).toBe(0n)
  })

  test('pays the debts of other charges with what it restores', () => {
    const lots = lotsAfter(granted('first', 2n), charged('a', 2n), charged('b', 2n), reversed('a', 2n))
    expect([lots.debtMicros, left(lots)]).toEqual([0n, { first: 0n }])
  })

  test('in parts undoes what the charge burned last, and never more than the charge', () => {
    const lots = lotsAfter(granted('first', 2n), granted('next', 2n), charged('a', 3n), reversed('a', 2n))
    expect(left(lots)).toEqual({ first: 1n, next: 2n })
    lots.add(reversed('a', 3n))
    expect(left(lots)).toEqual({ first: 2n, next: 2n, unlimited: 2n })
  })
})

describe('a refund, dispute or correction', () => {
  test('takes free credits of its lot and leaves the other lots alone', () => {
    const lots = lotsAfter(granted('first', 5n), granted('next', 5n), charged('a', 2n), taken('refund', 'next', 4n))
    expect([left(lots), lots.debtMicros]).toEqual([{ first: 3n, next: 1n }, 0n])
    expect(lots.lot('next')).toMatchObject({ takenMicros: { refund: 4n, dispute: 0n, correction: 0n } })
  })

  test('of credits that were spent is a debt, which other lots pay, and may take the balance below zero', () => {
    const lots = lotsAfter(granted('first', 5n), charged('a', 5n), taken('dispute', 'first', 4n))
    expect([lots.balanceMicros, lots.debtMicros, lots.lot('first')?.lackingMicros]).toEqual([-4n, 4n, 4n])
    lots.add(granted('next', 6n, { atMs: 3 }))
    expect([lots.balanceMicros, lots.debtMicros, left(lots)]).toEqual([2n, 0n, { first: 0n, next: 2n }])
  })

  test('that is returned ends its debt before it frees the lot that paid', () => {
    const facts = [granted('first', 5n), charged('a', 5n), taken('dispute', 'first', 4n), granted('next', 3n)]
    const lots = lotsAfter(...facts, returned('dispute', 'first', 2n))
    expect([lots.debtMicros, left(lots)]).toEqual([0n, { first: 0n, next: 1n }])
    lots.add(returned('dispute', 'first', 2n))
    expect([lots.debtMicros, left(lots)]).toEqual([0n, { first: 0n, next: 3n }])
  })

  test('that is returned frees no lot whose time has passed while its own debt is open', () => {
    const soon = granted('soon', 1n, { expiresAtMs: 4, atMs: 2 })
    const lots = lotsAfter(granted('first', 2n), charged('a', 2n), soon, taken('refund', 'first', 2n, 3))
    expect([lots.debtMicros, left(lots)]).toEqual([1n, { first: 0n, soon: 0n }])
    lots.add(returned('refund', 'first', 1n, 4))
    expect([lots.debtMicros, left(lots)]).toEqual([0n, { first: 0n, soon: 0n }])
  })

  test('of spent credits is paid by its own lot once a charge is reversed', () => {
    const facts = [granted('first', 5n), charged('a', 4n), taken('refund', 'first', 5n), granted('next', 5n)]
    expect(left(lotsAfter(...facts))).toEqual({ first: 0n, next: 1n })
    expect(left(lotsAfter(...facts, reversed('a', 4n)))).toEqual({ first: 0n, next: 5n })
  })

  test('frees lots that paid for one another, one after the other', () => {
    const lots = lotsAfter(granted('a', 3n), charged('k', 3n), taken('refund', 'a', 3n), granted('b', 3n))
    lots.add(taken('refund', 'b', 3n))
    lots.add(granted('c', 3n))
    expect(left(lots)).toEqual({ a: 0n, b: 0n, c: 0n })
    lots.add(reversed('k', 3n))
    expect([left(lots), lots.debtMicros]).toEqual([{ a: 0n, b: 0n, c: 3n }, 0n])
  })

  test('of credits that had expired gives their expiry back, so that nothing is lost twice', () => {
    const lots = lotsAfter(granted('other', 9n), granted('soon', 5n, { expiresAtMs: 10 }), charged('k', 1n))
    for (const fact of [expired('soon', 4n), taken('dispute', 'soon', 5n)]) lots.add(fact)
    expect(lots.lot('soon')).toMatchObject({ spentMicros: 1n, expiredMicros: 0n, owedMicros: 4n })
    lots.add(expiryGivenBack('soon', 4n))
    expect([lots.lot('soon')?.owedMicros, lots.bookedMicros, left(lots)]).toEqual([0n, 8n, { other: 8n, soon: 0n }])
  })

  test('together with others never takes more than is left of the grant by their own sums', () => {
    const lots = lotsAfter(granted('first', 5n), charged('a', 5n), taken('refund', 'first', 3n))
    expect(lots.lot('first')?.mayLoseMicros).toBe(2n)
    lots.add(taken('dispute', 'first', 2n))
    expect(lots.lot('first')?.mayLoseMicros).toBe(0n)
  })
})

describe('facts that cannot be carried out as they say', () => {
  const taking = granted('first', 2n)
  test.each<[string, LotFact[], Record<string, bigint>, bigint]>([
    [
      'a taking beyond its lot burns other lots',
      [granted('next', 5n), taking, taken('refund', 'first', 4n)],
      { first: 0n, next: 3n },
      0n,
    ],
    [
      'a taking from an unknown lot burns other lots',
      [granted('next', 5n), taken('refund', 'none', 4n)],
      { next: 1n },
      0n,
    ],
    [
      'what such a taking burned is returned to those lots',
      [granted('next', 5n), taking, taken('refund', 'first', 4n), returned('refund', 'first', 4n)],
      { first: 2n, next: 5n },
      0n,
    ],
    ['a reversal of an unknown charge joins the unlimited lot', [reversed('none', 2n)], { unlimited: 2n }, 0n],
    [
      'what is returned beyond the taking joins the unlimited lot',
      [taking, taken('refund', 'first', 1n), returned('refund', 'first', 3n)],
      { first: 2n, unlimited: 2n },
      0n,
    ],
    ['an expiry of an unknown lot burns other lots', [taking, expired('none', 3n)], { first: 0n }, 1n],
    [
      'what is given back beyond an expiry joins the unlimited lot',
      [taking, expired('first', 1n), expiryGivenBack('first', 3n)],
      { first: 2n, unlimited: 2n },
      0n,
    ],
  ])('%s, so that the balance is that of the ledger', (_, facts, expected, debtMicros) => {
    const lots = lotsAfter(...facts)
    expect([left(lots), lots.debtMicros]).toEqual([expected, debtMicros])
  })
})
