import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import type { PurchaseEvent } from '../../../contracts/events/purchase.ts'
import { COMPANY, GRANT, PURCHASE, REFUND, second } from '../../support/events/billingEvents.ts'
import { granted, refunded, reinstated, withdrawn } from '../../support/events/ledgerEvents.ts'
import { disputesWrong } from './disputes.ts'
import { bookingsWrong } from './payments.ts'
import { storedStream } from './storedStream.ts'
import { takenWrong } from './takenCredits.ts'

const ids = { purchaseId: PURCHASE, companyId: COMPANY }
const seen = (disputeId: string, report: number, disputedMinor: string): PurchaseEvent => ({
  type: 'PurchaseDisputeSeen',
  data: { ...ids, disputeId, report, chargedMinor: '1000', disputedMinor, saidAt: second(6) },
})
const taken = (disputeId: string, withdrawal: number, amountMicros: string): PurchaseEvent => ({
  type: 'PurchaseCreditsWithdrawn',
  data: { ...ids, disputeId, withdrawal, amountMicros, withdrawnAt: second(7) },
})
const returned = (disputeId: string, amountMicros: string): PurchaseEvent => ({
  type: 'PurchaseCreditsReinstated',
  data: { ...ids, disputeId, amountMicros, reinstatedBeforeMicros: '0', reinstatedAt: second(8) },
})
const wrongOf = (left: bigint, ...events: readonly PurchaseEvent[]) =>
  disputesWrong(storedStream(`purchase-${PURCHASE}`, ...events), 500n, left)

test('disputes take what their newest reports are worth, and no more than is left', () => {
  expect(wrongOf(500n, seen('du_1', 1, '400'), taken('du_1', 1, '200'))).toBeNull()
  expect(wrongOf(500n, seen('du_1', 1, '400'), taken('du_1', 1, '200'), seen('du_1', 2, '0'))).toContain('not 0')
  expect(wrongOf(500n, seen('du_1', 1, '400'))).toBe('disputes have taken 0, and not 200')
  expect(wrongOf(150n, seen('du_1', 1, '400'), taken('du_1', 1, '200'))).toContain('not 150')
  const both = [seen('du_1', 1, '400'), taken('du_1', 1, '200'), seen('du_2', 1, '1000'), taken('du_2', 1, '300')]
  expect(wrongOf(500n, ...both)).toBeNull()
  const won = [seen('du_1', 1, '400'), taken('du_1', 1, '200'), seen('du_1', 2, '0'), returned('du_1', '200')]
  expect(wrongOf(500n, ...won)).toBeNull()
  expect(wrongOf(500n, ...won, returned('du_1', '200'))).toContain('-200')
})

test('one report of a dispute that is recorded in two ways is found', () => {
  expect(wrongOf(500n, seen('du_1', 1, '400'), seen('du_1', 1, '0'))).toContain('two ways')
})

const ledgerWrong = (...events: readonly LedgerEvent[]) => takenWrong(storedStream(`ledger-${COMPANY}`, ...events))
const grant = granted(COMPANY, { grantId: GRANT, amountMicros: '500' })
const withdrawal = withdrawn(COMPANY, { grantId: GRANT, disputeId: 'du_1', withdrawal: 1, amountMicros: '500' })
const reinstatement = reinstated(COMPANY, { grantId: GRANT, disputeId: 'du_1', amountMicros: '500' })
const refund = refunded(COMPANY, { grantId: GRANT, refundId: REFUND, amountMicros: '100' })

test('a ledger has a return after what it returns, and both after their grant', () => {
  expect(ledgerWrong(grant, withdrawal, reinstatement, refund)).toBeNull()
  expect(ledgerWrong(grant, reinstatement, withdrawal)).toContain('given back 500 more')
  expect(ledgerWrong(withdrawal, grant)).toContain('not on the ledger before it')
})

test('at no entry of a ledger more is taken of a grant than it granted', () => {
  expect(ledgerWrong(grant, withdrawal, refund)).toContain('600 are taken of the 500')
  expect(ledgerWrong(grant, withdrawal, refund, reinstatement)).toContain('600 are taken of the 500')
})

test('each withdrawal and each return that was decided is on the ledger once', () => {
  const decided = storedStream(`purchase-${PURCHASE}`, taken('du_1', 1, '500'), returned('du_1', '500'))
  const booked = (...events: readonly LedgerEvent[]) => [...decided, ...storedStream(`ledger-${COMPANY}`, ...events)]
  expect(bookingsWrong(booked(withdrawal, reinstatement))).toBeNull()
  expect(bookingsWrong(booked(withdrawal, withdrawal, reinstatement))).toContain('withdrawal 1 of du_1')
  expect(bookingsWrong(booked(withdrawal))).toBe('reinstatement after 0 of du_1 is not on the ledger')
})
