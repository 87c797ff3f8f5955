import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { charged, granted, refunded, reversed } from '../../test/support/ledgerEvents.ts'
import { UNWATCHED, watchBalance } from './lowBalance.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const grant = (micros: number) => granted(companyId, { amountMicros: String(micros) })
const charge = (micros: number) => charged(companyId, { amountMicros: String(micros) })
const refund = (micros: number) => refunded(companyId, { amountMicros: String(micros) })
const reverse = (micros: number) => reversed(charge(micros))

/** The indexes of the events at which the balance became low. */
function lowAt(...events: LedgerEvent[]): number[] {
  let watch = UNWATCHED
  return events.flatMap((event, n) => {
    const before = watch.isLow
    watch = watchBalance(watch, event)
    return watch.isLow && !before ? [n] : []
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
