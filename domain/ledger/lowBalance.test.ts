import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { adjusted, charged, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { becameExhausted, becameLow, UNWATCHED, watchBalance } from './lowBalance.ts'
import { DEFAULT_RULE, type LowBalanceRule } from './lowBalanceRule.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const grant = (micros: number) => granted(companyId, { amountMicros: String(micros) })
const charge = (micros: number) => charged(companyId, { amountMicros: String(micros) })
const refund = (micros: number) => refunded(companyId, { amountMicros: String(micros) })
const adjust = (micros: number) => adjusted(companyId, { amountMicros: String(micros) })
const reverse = (micros: number) => reversed(charge(micros))

const below = (micros: number): LowBalanceRule => ({ kind: 'AMOUNT', amountMicros: BigInt(micros) })
const OFF: LowBalanceRule = { kind: 'OFF' }

/** The indexes of the events at which the balance became low. A rule in between applies from the next event on. */
function lowAt(...steps: (LedgerEvent | LowBalanceRule)[]): number[] {
  return found(becameLow, steps)
}

function found(became: typeof becameLow, steps: readonly (LedgerEvent | LowBalanceRule)[]): number[] {
  let watch = UNWATCHED
  let rule = DEFAULT_RULE
  return steps.flatMap((step, n) => {
    if ('kind' in step) {
      rule = step
      return []
    }
    const before = watch
    watch = watchBalance(before, step, rule)
    return became(before, watch) ? [n] : []
  })
}

test('a balance is low below a tenth of the balance after the last grant, and becomes low once', () => {
  expect(lowAt(grant(1_000), charge(900))).toEqual([])
  expect(lowAt(grant(1_000), charge(900), charge(1), charge(50), charge(49))).toEqual([2])
})

test('a balance can become low again after a grant', () => {
  expect(lowAt(grant(1_000), charge(950), grant(450), charge(450), charge(1))).toEqual([1, 4])
})

test('a small grant on a large balance does not make the limit small', () => {
  expect(lowAt(grant(1_000), grant(1), charge(900))).toEqual([])
  expect(lowAt(grant(1_000), grant(1), charge(901))).toEqual([2])
})

test('a refund can make a balance low; after a reversal it does not become low again', () => {
  expect(lowAt(grant(1_000), refund(901), reverse(500), charge(500))).toEqual([1])
})

test('without a grant, or below zero, a balance is low as soon as it falls', () => {
  expect(lowAt(charge(0), charge(1), charge(1))).toEqual([1])
})

test('an adjustment that takes credits can make a balance low, and one that adds them counts as a grant', () => {
  expect(lowAt(grant(1_000), adjust(-901), adjust(500), charge(539), charge(1))).toEqual([1, 4])
})

test('with a custom limit, a balance is low below that amount, once until a top-up lifts it above the limit', () => {
  expect(lowAt(below(100), grant(1_000), charge(900), charge(1), charge(1))).toEqual([3])
  expect(lowAt(below(100), grant(1_000), charge(950), grant(10), charge(5), grant(100), charge(60))).toEqual([2, 6])
  expect(lowAt(below(100), grant(1_000), charge(950), reverse(500), charge(500))).toEqual([2])
})

test('a changed limit applies to the current balance, from the next charge on', () => {
  expect(lowAt(grant(1_000), charge(500), below(600), charge(1))).toEqual([3])
  expect(lowAt(below(100), grant(1_000), charge(950), below(10), charge(1), charge(40))).toEqual([2, 5])
})

test('a balance is never low while the notice is off', () => {
  expect(lowAt(OFF, grant(1_000), charge(1_000), charge(1), DEFAULT_RULE, charge(1))).toEqual([5])
})

test('a balance is exhausted each time it falls to zero or below, by any rule', () => {
  const exhaustedAt = (...steps: (LedgerEvent | LowBalanceRule)[]) => found(becameExhausted, steps)
  expect(exhaustedAt(OFF, grant(10), charge(9), charge(1), charge(1), grant(2), charge(1), adjust(-5))).toEqual([3, 6])
  expect(exhaustedAt(charge(1), grant(1))).toEqual([])
})
