import { describe, test } from 'vitest'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { specificationOf } from '../../test/support/deciderSpecification.ts'
import {
  COMPANY,
  GRANT,
  LATER_REFUND,
  PURCHASE,
  purchaseCompleted,
  purchaseStarted,
  REFUND,
  second,
} from '../../test/support/paymentEvents.ts'
import { type PurchaseCommand, purchaseDecider } from './decider.ts'

const given = specificationOf(purchaseDecider)
const about = { purchaseId: PURCHASE, companyId: COMPANY }

const complete: PurchaseCommand = {
  type: 'CompletePurchase',
  purchaseId: PURCHASE,
  sessionId: 'cs_1',
  paymentIntentId: 'pi_1',
  paidMinor: '1000',
  currency: 'usd',
  grantId: GRANT,
  refundId: REFUND,
  saidAt: second(5),
}
const refund = (refundedMinor: string, refundId = REFUND): PurchaseCommand => ({
  type: 'RefundPurchase',
  purchaseId: PURCHASE,
  refund: { chargedMinor: '1000', refundedMinor },
  refundId,
  saidAt: second(9),
})
const seen = (refundedMinor: string): PurchaseEvent => ({
  type: 'PurchaseRefundSeen',
  data: { ...about, chargedMinor: '1000', refundedMinor, saidAt: second(9) },
})
const takenBack = (amountMicros: string, totalMicros: string, refundId = REFUND, at = second(9)): PurchaseEvent => ({
  type: 'PurchaseCreditsTakenBack',
  data: { ...about, refundId, amountMicros, totalMicros, takenBackAt: at },
})

const fail: PurchaseCommand = { type: 'FailPurchase', purchaseId: PURCHASE, reason: 'declined', at: second(9) }
const expire: PurchaseCommand = { type: 'ExpirePurchase', purchaseId: PURCHASE, at: second(9) }
const failed: PurchaseEvent = { type: 'PurchaseFailed', data: { ...about, reason: 'declined', failedAt: second(9) } }
const expired: PurchaseEvent = { type: 'PurchaseExpired', data: { ...about, expiredAt: second(9) } }

test('a pending purchase fails or expires, once', () => {
  given(purchaseStarted()).when(fail).then(failed)
  given(purchaseStarted()).when(expire).then(expired)
  for (const end of [failed, expired, purchaseCompleted()]) {
    for (const command of [fail, expire]) given(purchaseStarted(), end).when(command).then()
  }
})

test('a purchase that failed or expired is completed by a payment that is reported later', () => {
  for (const end of [failed, expired]) given(purchaseStarted(), end).when(complete).then(purchaseCompleted())
})

test('a purchase is started once, with its checkout page', () => {
  const { startedAt, ...data } = (purchaseStarted() as Extract<PurchaseEvent, { type: 'PurchaseStarted' }>).data
  const start: PurchaseCommand = {
    type: 'StartPurchase',
    ...data,
    sessionId: 'cs_1',
    expiresAt: second(59),
    at: startedAt,
  }
  given()
    .when(start)
    .then(purchaseStarted(), {
      type: 'PurchaseCheckoutOpened',
      data: { ...about, sessionId: 'cs_1', openedAt: startedAt, expiresAt: second(59) },
    })
  given(purchaseStarted()).when(start).thenThrows('CONFLICT')
})

test('a paid purchase grants its credits once', () => {
  given(purchaseStarted()).when(complete).then(purchaseCompleted())
  given(purchaseStarted(), purchaseCompleted())
    .when({ ...complete, grantId: REFUND, saidAt: second(8) })
    .thenNothing()
})

test.each([complete, refund('1')])('a command on an unknown purchase is refused: $type', (command) => {
  given().when(command).thenThrows('NOT_FOUND')
})

describe('a refund', () => {
  test('takes back credits in proportion', () => {
    given(purchaseStarted(), purchaseCompleted())
      .when(refund('250'))
      .then(seen('250'), takenBack('250000000', '250000000'))
  })

  test('of a larger sum takes back the difference; of a smaller one, or the same again, nothing', () => {
    const before = [purchaseStarted(), purchaseCompleted(), seen('250'), takenBack('250000000', '250000000')]
    given(...before)
      .when(refund('1000', LATER_REFUND))
      .then(seen('1000'), takenBack('750000000', '1000000000', LATER_REFUND))
    given(...before)
      .when(refund('250', LATER_REFUND))
      .thenNothing()
    given(...before)
      .when(refund('100', LATER_REFUND))
      .thenNothing()
  })

  test('that arrives before the grant waits for it', () => {
    given(purchaseStarted()).when(refund('500')).then(seen('500'))
    given(purchaseStarted(), seen('250'), seen('500'))
      .when(complete)
      .then(purchaseCompleted(), takenBack('500000000', '500000000', REFUND, second(5)))
  })
})
