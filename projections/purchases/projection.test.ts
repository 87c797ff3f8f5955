import { expect, test } from 'vitest'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { streamName } from '../../contracts/streams.ts'
import {
  COMPANY,
  PACK,
  PURCHASE,
  purchaseCompleted,
  purchaseStarted,
  REFUND,
  second,
  USER,
} from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { purchases } from './projection.ts'

const about = { purchaseId: PURCHASE, companyId: COMPANY }
const rowsAfter = (...events: PurchaseEvent[]) => [
  ...applyEvents(purchases, history(streamName('purchase', PURCHASE), ...events)).values(),
]

test('a purchase is pending until it is paid', () => {
  expect(rowsAfter(purchaseStarted())).toEqual([
    {
      purchase_id: PURCHASE,
      company_id: COMPANY,
      user_id: USER,
      pack_id: PACK,
      status: 'PENDING',
      credits_micros: '1000000000',
      price: '10',
      currency: 'usd',
      session_id: null,
      expires_at: null,
      failure_reason: null,
      payment_intent_id: null,
      refunded_micros: '0',
      started_at: second(0),
      completed_at: null,
    },
  ])
  const opened: PurchaseEvent = {
    type: 'PurchaseCheckoutOpened',
    data: { ...about, sessionId: 'cs_0', openedAt: second(1), expiresAt: second(9) },
  }
  expect(rowsAfter(purchaseStarted(), opened)).toMatchObject([{ status: 'PENDING', session_id: 'cs_0' }])
  expect(rowsAfter(purchaseStarted(), opened, purchaseCompleted())).toMatchObject([
    { status: 'COMPLETED', session_id: 'cs_1', payment_intent_id: 'pi_1', completed_at: second(5) },
  ])
})

test('a purchase fails with its reason or expires, and a payment that is reported later completes it', () => {
  const failed: PurchaseEvent = { type: 'PurchaseFailed', data: { ...about, reason: 'declined', failedAt: second(9) } }
  const expired: PurchaseEvent = { type: 'PurchaseExpired', data: { ...about, expiredAt: second(9) } }
  expect(rowsAfter(purchaseStarted(), failed)).toMatchObject([{ status: 'FAILED', failure_reason: 'declined' }])
  expect(rowsAfter(purchaseStarted(), expired)).toMatchObject([{ status: 'EXPIRED', failure_reason: null }])
  expect(rowsAfter(purchaseStarted(), failed, purchaseCompleted())).toMatchObject([
    { status: 'COMPLETED', failure_reason: null },
  ])
})

test('the row has the total taken back; a waiting refund does not show', () => {
  const refund = { chargedMinor: '1000', refundedMinor: '500', saidAt: second(6) }
  const seen: PurchaseEvent = { type: 'PurchaseRefundSeen', data: { ...about, ...refund, askedAt: null } }
  const amounts = { refundId: REFUND, amountMicros: '250000000', totalMicros: '500000000', takenBackAt: second(7) }
  const takenBack: PurchaseEvent = { type: 'PurchaseCreditsTakenBack', data: { ...about, ...amounts } }
  expect(rowsAfter(purchaseStarted(), seen)).toMatchObject([{ refunded_micros: '0', status: 'PENDING' }])
  expect(rowsAfter(purchaseStarted(), purchaseCompleted(), seen, takenBack)).toMatchObject([
    { refunded_micros: '500000000', status: 'COMPLETED' },
  ])
})

test('a purchase that was never started cannot be completed', () => {
  expect(() => rowsAfter(purchaseCompleted())).toThrow(/never started/)
})
