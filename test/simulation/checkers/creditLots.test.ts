import { expect, test } from 'vitest'
import { history } from '../../support/events/history.ts'
import { charged, expired, granted, reinstated } from '../../support/events/ledgerEvents.ts'
import { lotsWrong, type StoredLot } from './creditLots.ts'
import type { LedgerEvent } from './folds/ledger.ts'
import { expiriesWrong } from './lots/expiries.ts'

const company = '11111111-1111-4111-8111-111111111111'
const [OLD, SOON, GIFT] = ['1', '2', '3'].map((n) => `${n}2222222-2222-4222-8222-222222222222`) as [
  string,
  string,
  string,
]
const TIME = '2026-03-10T10:00:00.000Z'
const DUE = '2026-03-10T12:00:00.000Z'
const terms = { priority: 0, expiresAt: null, rollover: null }

const ledgerOf = (...events: Parameters<typeof history<'ledger'>>[1][]) =>
  history(`ledger-${company}`, ...events) as unknown as LedgerEvent[]

const events = ledgerOf(
  granted(company, { grantId: OLD, amountMicros: '50', lot: terms }),
  granted(company, { grantId: SOON, amountMicros: '50', lot: { ...terms, expiresAt: TIME } }),
  granted(company, { grantId: GIFT, amountMicros: '10', source: 'PROMOTION', lot: { ...terms, priority: 1 } }),
  charged(company, { amountMicros: '20', admittedAt: '2026-03-10T09:59:59.999Z' }),
  charged(company, { amountMicros: '1', admittedAt: TIME }),
)
const none = { priority: 0, expiresMs: null, expired: 0n, owed: 0n, taken: 0n }
const LOTS: readonly StoredLot[] = [
  { ...none, company, lot: OLD, granted: 50n, spent: 1n, left: 49n },
  { ...none, company, lot: SOON, expiresMs: Date.parse(TIME), granted: 50n, spent: 10n, left: 40n },
  { ...none, company, lot: GIFT, priority: 1, granted: 10n, spent: 10n, left: 0n },
]
const debt = { company, revision: 4, debt: 0n }

function foundWith(lot: string, change: Partial<StoredLot>, changedDebt: Partial<typeof debt> = {}): string | null {
  const lots = LOTS.map((each) => (each.lot === lot ? { ...each, ...change } : each))
  return lotsWrong(events, lots, [{ ...debt, ...changedDebt }])
}

test('lots that follow from the ledger are right', () => {
  expect(lotsWrong(events, LOTS, [debt])).toBeNull()
})

test.each<[string, string, Partial<StoredLot>, Partial<typeof debt>, RegExp]>([
  ['a charge is missing', OLD, { spent: 0n, left: 50n }, {}, /add up to 100, and the ledger to 89|add up to 90/],
  ['more is left than granted', OLD, { left: 60n }, {}, /has 60 left, and not 49/],
  ['spent credits have expired', SOON, { expired: 45n, left: 0n }, {}, /was granted 50, spent 10 and expired 45/],
  ['expired credits were refunded', SOON, { spent: 0n, expired: 30n, taken: 21n }, {}, /expired 30 and lost 21/],
  ['the lots are behind', OLD, {}, { revision: 0 }, /at revision 0, and not at 4/],
  ['a debt is missing', OLD, { spent: 6n, left: 44n }, {}, /add up to 84/],
  ['a lot has other terms', SOON, { expiresMs: null }, {}, /has expiresMs null/],
])('is found if %s', (_, lot, change, changedDebt, message) => {
  expect(foundWith(lot, change, changedDebt)).toMatch(message)
})

test('lots that were burned in another order are found', () => {
  const byAge = LOTS.map((lot) => {
    if (lot.lot === OLD) return { ...lot, spent: 21n, left: 29n }
    return { ...lot, spent: 0n, left: lot.granted }
  })
  expect(lotsWrong(events, byAge, [debt])).toMatch(/has spent 21, and not 1/)
})

const lapsing = granted(company, { grantId: SOON, amountMicros: '50', lot: { ...terms, expiresAt: TIME } })
const expiry = (amountMicros: string, expiredBeforeMicros = '0', expiredAt = DUE) =>
  expired(company, { grantId: SOON, amountMicros, expiredBeforeMicros, expiredAt })
const late = charged(company, { amountMicros: '20', admittedAt: '2026-03-10T09:00:00.000Z' })
const back = reinstated(company, { grantId: SOON, disputeId: null, amountMicros: '20', reinstatedBeforeMicros: '0' })

test('what has expired and was given back to a late charge is right', () => {
  expect(expiriesWrong(ledgerOf(lapsing, expiry('50'), late, back))).toBeNull()
})

test.each<[string, LedgerEvent[], RegExp]>([
  ['before its time', ledgerOf(lapsing, expiry('50', '0', '2026-03-10T11:59:59.999Z')), /before 2026-03-10T12:00/],
  ['twice', ledgerOf(lapsing, expiry('30'), expiry('30')), /0 of lot .* had expired before, it says, and not 30/],
  ['beyond its grant', ledgerOf(lapsing, expiry('30'), expiry('30', '30')), /60 of lot .* which had 50/],
  ['without a time', ledgerOf(granted(company, { grantId: SOON, lot: terms }), expiry('5')), /does not expire/],
  ['although a call needed them', ledgerOf(lapsing, expiry('50'), late), /20 of lot .* although a call needed them/],
])('credits that expire %s are found', (_, own, message) => {
  expect(expiriesWrong(own)).toMatch(message)
})

test('credits that are given back without need are found', () => {
  expect(expiriesWrong(ledgerOf(lapsing, expiry('50'), back))).toMatch(/20 of .* are given back, and 0 needed/)
})
