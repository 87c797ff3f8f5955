import { describe, test } from 'vitest'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import {
  COMPANY,
  GRANT,
  LATER_REFUND,
  PURCHASE,
  purchaseCompleted,
  purchaseStarted,
  REFUND,
  second,
  USER,
} from '../../test/support/events/billingEvents.ts'
import { type PurchaseCommand, purchaseDecider } from './decider.ts'

const RETRIED = '99999999-9999-4999-8999-999999999999'
const ADJUSTMENT = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
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
const refund = (refundedMinor: string, refundId = REFUND, n = 9): PurchaseCommand => ({
  type: 'RefundPurchase',
  purchaseId: PURCHASE,
  refund: { chargedMinor: '1000', refundedMinor },
  refundId,
  saidAt: second(n),
  answer: null,
})
const seen = (refundedMinor: string, n = 9, askedAt: string | null = null): PurchaseEvent => ({
  type: 'PurchaseRefundSeen',
  data: { ...about, chargedMinor: '1000', refundedMinor, saidAt: second(n), askedAt },
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

test('a purchase of automatic top-up is started once, without a checkout page, and completed without a session', () => {
  const started = purchaseStarted()
  if (started.type !== 'PurchaseStarted') throw new Error(started.type)
  const { startedAt: at, ...bought } = started.data
  const start: PurchaseCommand = { type: 'StartTopUpPurchase', ...bought, at }
  given().when(start).then(started)
  given(started).when(start).thenNothing()
  given(started, failed).when(start).thenNothing()
  const completed = purchaseCompleted()
  given(started)
    .when({ ...complete, sessionId: null } as PurchaseCommand)
    .then({ ...completed, data: { ...completed.data, sessionId: null } } as PurchaseEvent)
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

  const before = [purchaseStarted(), purchaseCompleted(), seen('250'), takenBack('250000000', '250000000')]

  test('of a larger sum takes back the difference; an older report, or the same again, nothing', () => {
    given(...before)
      .when(refund('1000', LATER_REFUND, 10))
      .then(seen('1000', 10), takenBack('750000000', '1000000000', LATER_REFUND, second(10)))
    given(...before)
      .when(refund('250', LATER_REFUND))
      .thenNothing()
    given(...before)
      .when(refund('100', LATER_REFUND, 8))
      .thenNothing()
  })

  test('that another report of the same second contradicts is not decided without an answer', () => {
    given(...before)
      .when(refund('1000', LATER_REFUND))
      .thenThrows('CONFLICT', /has to be asked/)
  })

  const failedRefund = { chargedMinor: '1000', refundedMinor: '0' }
  const answeredFailed: PurchaseCommand = {
    ...{ type: 'RefundPurchase', purchaseId: PURCHASE, refund: null, refundId: LATER_REFUND, saidAt: second(20) },
    answer: { facts: failedRefund, askedAt: second(21) },
  }
  const givenBack = (amountMicros: string, adjustedBy: string | null, at: string): PurchaseEvent => ({
    type: 'PurchaseCreditsCorrected',
    data: {
      ...{ ...about, grantId: GRANT, refundId: REFUND, amountMicros, correction: 1, adjustmentId: LATER_REFUND },
      ...{ reason: 'the refund failed', adjustedBy, isEarlier: false, correctedAt: at },
    },
  })

  test('that fails gives its credits back, and takes them again when it is made again', () => {
    const failed = [seen('0', 20, second(21)), givenBack('250000000', null, second(20))]
    given(...before)
      .when(answeredFailed)
      .then(...failed)
    given(...before, ...failed)
      .when(refund('250', RETRIED, 30))
      .then(seen('250', 30), takenBack('250000000', '250000000', RETRIED, second(30)))
  })

  test('that a person repaired before the failure is known takes its credits again when it is made again', () => {
    const repaired = [...before, givenBack('250000000', USER, second(15))]
    given(...repaired)
      .when(answeredFailed)
      .then(seen('0', 20, second(21)))
    given(...repaired)
      .when(refund('250', RETRIED, 30))
      .then(seen('250', 30), takenBack('250000000', '250000000', RETRIED, second(30)))
    given(...repaired, seen('0', 20, second(21)))
      .when(refund('250', RETRIED, 30))
      .then(seen('250', 30), takenBack('250000000', '250000000', RETRIED, second(30)))
  })

  test('that an answer reported is not taken again after a repair, by an event of that second that comes late', () => {
    const answered = [seen('250', 9, second(21)), takenBack('250000000', '250000000')]
    given(purchaseStarted(), purchaseCompleted(), ...answered, givenBack('250000000', USER, second(25)))
      .when(refund('250', RETRIED))
      .thenNothing()
  })

  test('that fails is known from an answer to a late event for no earlier second than what was known', () => {
    given(...before)
      .when({ ...answeredFailed, saidAt: second(8), answer: { facts: failedRefund, askedAt: second(11) } })
      .then(seen('0', 9, second(11)), givenBack('250000000', null, second(9)))
  })

  test('that fails after another one gives back the credits of the newest', () => {
    const both = [seen('1000', 10), takenBack('750000000', '1000000000', RETRIED, second(10))]
    const one = { chargedMinor: '1000', refundedMinor: '250' }
    const newest = givenBack('750000000', null, second(20))
    given(...before, ...both)
      .when({ ...answeredFailed, answer: { facts: one, askedAt: second(21) } })
      .then(seen('250', 20, second(21)), { ...newest, data: { ...newest.data, refundId: RETRIED } } as PurchaseEvent)
  })

  test('that was repaired and is made again within one second takes its credits again, once', () => {
    const repaired = [...before, givenBack('250000000', USER, second(15))]
    const again = [seen('250'), takenBack('250000000', '250000000', RETRIED)]
    given(...repaired)
      .when(refund('250', RETRIED))
      .then(...again)
    for (const repeated of [REFUND, RETRIED]) {
      given(...repaired, ...again)
        .when(refund('250', repeated))
        .thenNothing()
    }
    given(...repaired)
      .when(refund('250', REFUND))
      .thenNothing()
  })

  const correct = (amountMicros: string, corrected: string | null = null): PurchaseCommand => ({
    ...{ type: 'CorrectCredits', purchaseId: PURCHASE, adjustmentId: ADJUSTMENT, corrected, amountMicros },
    ...{ reason: 'granted twice', by: USER, refundId: LATER_REFUND, at: second(40) },
  })
  const corrected = (amountMicros: string, correction = 1): PurchaseEvent => ({
    type: 'PurchaseCreditsCorrected',
    data: {
      ...{ ...about, grantId: GRANT, refundId: null, amountMicros, correction, adjustmentId: ADJUSTMENT },
      ...{ reason: 'granted twice', adjustedBy: USER, isEarlier: false, correctedAt: second(40) },
    },
  })

  test('and a correction never take more than was granted, in either order', () => {
    given(...before)
      .when(correct('-750000000'))
      .then(corrected('-750000000'))
    given(...before)
      .when(correct('-750000001'))
      .thenThrows('INVALID', /worth 750 after its refunds, disputes and corrections/)
    const all = [purchaseStarted(), purchaseCompleted(), corrected('-1000000000')]
    given(...all)
      .when(refund('250'))
      .then(seen('250'))
    // The refund takes its credits as soon as there are any.
    given(...all, seen('250'))
      .when(correct('1000000000'))
      .then(corrected('1000000000', 2), takenBack('250000000', '250000000', LATER_REFUND, second(40)))
    given(...all)
      .when(correct('1000000001'))
      .thenThrows('INVALID')
    given(purchaseStarted()).when(correct('-1')).thenThrows('NOT_FOUND')
  })

  test('that is corrected gives back no more than it took, and takes no more than the money is worth', () => {
    given(...before)
      .when(correct('250000001', REFUND))
      .thenThrows('INVALID')
    given(...before)
      .when(correct('-1', REFUND))
      .thenThrows('INVALID')
    given(...before, seen('0', 20, second(21)), givenBack('250000000', null, second(20)))
      .when(correct('-1', REFUND))
      .thenThrows('INVALID', /than the refunded money is worth/)
  })

  test('that a person gave back stays given back when an answer only confirms it', () => {
    const confirmed = { chargedMinor: '1000', refundedMinor: '250' }
    given(...before, givenBack('250000000', USER, second(15)))
      .when({ ...answeredFailed, answer: { facts: confirmed, askedAt: second(21) } })
      .then(seen('250', 20, second(21)))
  })

  test('that a person gave back can be taken again by the next correction of it', () => {
    const undone = corrected('-250000000', 2)
    given(...before, givenBack('250000000', USER, second(15)))
      .when(correct('-250000000', REFUND))
      .then({ ...undone, data: { ...undone.data, refundId: REFUND } } as PurchaseEvent)
  })

  test('takes over corrections that were booked without it, and gives back what was taken twice', () => {
    const earlier = {
      ...{ corrected: null, correction: 1, amountMicros: '-1000000000', adjustmentId: ADJUSTMENT },
      ...{ reason: 'granted twice', adjustedBy: USER, correctedAt: second(40) },
    }
    const adopt: PurchaseCommand = {
      ...{ type: 'AdoptCorrections', purchaseId: PURCHASE, earlier: [earlier], refundId: LATER_REFUND, at: second(50) },
    }
    const adopted = corrected('-1000000000')
    const known = { ...adopted, data: { ...adopted.data, isEarlier: true } } as PurchaseEvent
    given(...before)
      .when(adopt)
      .then(known, givenBack('250000000', null, second(50)))
    given(...before, known, givenBack('250000000', null, second(50)))
      .when(adopt)
      .thenNothing()
    // Nobody waived the refund: it takes its credits again as soon as there are any.
    given(...before, known, givenBack('250000000', null, second(50)))
      .when(correct('1000000000'))
      .then(corrected('1000000000', 2), takenBack('250000000', '250000000', LATER_REFUND, second(40)))
  })

  test('that arrives before the grant waits for it', () => {
    given(purchaseStarted()).when(refund('500')).then(seen('500'))
    given(purchaseStarted(), seen('250'), seen('500'))
      .when(complete)
      .then(purchaseCompleted(), takenBack('500000000', '500000000', REFUND, second(5)))
  })
})
