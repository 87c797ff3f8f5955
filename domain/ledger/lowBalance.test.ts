import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { charged, granted, refunded, reversed } from '../../test/support/ledgerEvents.ts'
import { UNWATCHED, watchBalance } from './lowBalance.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const grant = (micros: number) => granted(companyId, { amountMicros: String(micros) })
const charge = (micros: number) => charged(companyId, { amountMicros: String(micros) })
const refund = (micros: number) => refunded(companyId, { amountMicros: String(micros) })
const reverse = (micros: number) => reversed(charge(micros))

/** By which of the events the balance became low. */
function lowAt(...events: LedgerEvent[]): number[] {
  let watch = UNWATCHED
  return events.flatMap((event, n) => {
    const before = watch.isLow
    watch = watchBalance(watch, event)
    return watch.isLow && !before ? [n] : []
  })
}

test('a balance is low below a tenth of what was there after the last grant, and that is told once', () => {
  expect(lowAt(grant(1_000), charge(900))).toEqual([])
  expect(lowAt(grant(1_000), charge(900), charge(1), charge(50), charge(49))).toEqual([2])
})

test('a grant makes it tell again', () => {
  expect(lowAt(grant(1_000), charge(950), grant(450), charge(450), charge(1))).toEqual([1, 4])
})

test('a small grant on a large balance does not make the limit small', () => {
  expect(lowAt(grant(1_000), grant(1), charge(900))).toEqual([])
  expect(lowAt(grant(1_000), grant(1), charge(901))).toEqual([2])
})

test('a refund can make it low; a reversal that lifts it does not make it tell again', () => {
  expect(lowAt(grant(1_000), refund(901), reverse(500), charge(500))).toEqual([1])
})

test('without a grant, or below zero, it is low when it falls', () => {
  expect(lowAt(charge(0), charge(1), charge(1))).toEqual([1])
})
