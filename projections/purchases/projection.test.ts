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
      purchaseId: PURCHASE,
      companyId: COMPANY,
      userId: USER,
      packId: PACK,
      status: 'PENDING',
      creditsMicros: '1000000000',
      price: '10',
      currency: 'usd',
      sessionId: null,
      expiresAt: null,
      failureReason: null,
      paymentIntentId: null,
      refundedMicros: '0',
      startedAt: second(0),
      completedAt: null,
    },
  ])
  const opened: PurchaseEvent = {
    type: 'PurchaseCheckoutOpened',
    data: { ...about, sessionId: 'cs_0', openedAt: second(1), expiresAt: second(9) },
  }
  expect(rowsAfter(purchaseStarted(), opened)).toMatchObject([{ status: 'PENDING', sessionId: 'cs_0' }])
  expect(rowsAfter(purchaseStarted(), opened, purchaseCompleted())).toMatchObject([
    { status: 'COMPLETED', sessionId: 'cs_1', paymentIntentId: 'pi_1', completedAt: second(5) },
  ])
})

test('a purchase fails with its reason or expires, and a payment that is reported later completes it', () => {
  const failed: PurchaseEvent = { type: 'PurchaseFailed', data: { ...about, reason: 'declined', failedAt: second(9) } }
  const expired: PurchaseEvent = { type: 'PurchaseExpired', data: { ...about, expiredAt: second(9) } }
  expect(rowsAfter(purchaseStarted(), failed)).toMatchObject([{ status: 'FAILED', failureReason: 'declined' }])
  expect(rowsAfter(purchaseStarted(), expired)).toMatchObject([{ status: 'EXPIRED', failureReason: null }])
  expect(rowsAfter(purchaseStarted(), failed, purchaseCompleted())).toMatchObject([
    { status: 'COMPLETED', failureReason: null },
  ])
})

test('the row has the total taken back; a waiting refund does not show', () => {
  const refund = { chargedMinor: '1000', refundedMinor: '500', saidAt: second(6) }
  const seen: PurchaseEvent = { type: 'PurchaseRefundSeen', data: { ...about, ...refund, askedAt: null } }
  const amounts = { refundId: REFUND, amountMicros: '250000000', totalMicros: '500000000', takenBackAt: second(7) }
  const takenBack: PurchaseEvent = { type: 'PurchaseCreditsTakenBack', data: { ...about, ...amounts } }
  expect(rowsAfter(purchaseStarted(), seen)).toMatchObject([{ refundedMicros: '0', status: 'PENDING' }])
  expect(rowsAfter(purchaseStarted(), purchaseCompleted(), seen, takenBack)).toMatchObject([
    { refundedMicros: '500000000', status: 'COMPLETED' },
  ])
})

test('a purchase that was never started cannot be completed', () => {
  expect(() => rowsAfter(purchaseCompleted())).toThrow(/never started/)
})
