import { expect, test } from 'vitest'
import { history } from '../../support/events/history.ts'
import { charged, granted } from '../../support/events/ledgerEvents.ts'
import { lotsWrong, type StoredLot } from './creditLots.ts'
import type { LedgerEvent } from './folds/ledger.ts'

const company = '11111111-1111-4111-8111-111111111111'
const events = history(
  `ledger-${company}`,
  granted(company, { amountMicros: '50' }),
  charged(company, { amountMicros: '20' }),
) as unknown as LedgerEvent[]
const lot: StoredLot = { company, lot: 'a', granted: 50n, spent: 20n, expired: 0n, owed: 0n, taken: 0n, left: 30n }
const debt = { company, revision: 1, debt: 0n }

test('lots that follow from the ledger are right', () => {
  expect(lotsWrong(events, [lot], [debt])).toBeNull()
})

test.each<[string, Partial<StoredLot>, Partial<typeof debt>, RegExp]>([
  ['a charge is missing', { spent: 0n, left: 50n }, {}, /add up to 50, and the ledger to 30/],
  ['more is left than granted', { left: 60n }, {}, /has 60 left, and not 30/],
  ['spent credits have expired', { expired: 40n, left: 0n }, {}, /was granted 50, spent 20 and expired 40/],
  ['expired credits were refunded', { spent: 0n, expired: 30n, taken: 21n, left: 0n }, {}, /expired 30 and lost 21/],
  ['the lots are behind', {}, { revision: 0 }, /at revision 0, and not at 1/],
  ['a debt is missing', { spent: 25n, left: 25n }, {}, /add up to 25/],
])('is found if %s', (_, change, changedDebt, message) => {
  expect(lotsWrong(events, [{ ...lot, ...change }], [{ ...debt, ...changedDebt }])).toMatch(message)
})
