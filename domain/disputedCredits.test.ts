import { describe, test } from 'vitest'
import type { CorrectedCredits } from '../contracts/events/payment.ts'
import type { PurchaseEvent } from '../contracts/events/purchase.ts'
import { specificationOf } from '../test/support/cases/deciderSpecification.ts'
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
} from '../test/support/events/billingEvents.ts'
import { type PurchaseCommand, purchaseDecider } from './purchase/decider.ts'

/** A purchase of 1000 credits for 1000 cents. */
const given = specificationOf(purchaseDecider)
const about = { purchaseId: PURCHASE, companyId: COMPANY }
const paid = [purchaseStarted(), purchaseCompleted()]

const money = (report: number, disputedMinor: string, disputeId: string) => {
  return { disputeId, report, chargedMinor: '1000', disputedMinor, saidAt: second(10 + report) }
}
const dispute = (report: number, disputedMinor: string, disputeId = 'du_1'): PurchaseCommand => ({
  type: 'DisputePurchase',
  purchaseId: PURCHASE,
  dispute: money(report, disputedMinor, disputeId),
  refundId: LATER_REFUND,
})
const seen = (report: number, disputedMinor: string, disputeId = 'du_1'): PurchaseEvent => ({
  type: 'PurchaseDisputeSeen',
  data: { ...about, ...money(report, disputedMinor, disputeId) },
})
const withdrawn = (withdrawal: number, credits: number, at: number, disputeId = 'du_1'): PurchaseEvent => ({
  type: 'PurchaseCreditsWithdrawn',
  data: { ...about, disputeId, withdrawal, amountMicros: `${credits}000000`, withdrawnAt: second(at) },
})
const reinstated = (credits: number, before: string, at: number, disputeId = 'du_1'): PurchaseEvent => ({
  type: 'PurchaseCreditsReinstated',
  data: {
    ...about,
    disputeId,
    amountMicros: `${credits}000000`,
    reinstatedBeforeMicros: before,
    reinstatedAt: second(at),
  },
})
const refund = (refundedMinor: string, n = 30): PurchaseCommand => ({
  ...{ type: 'RefundPurchase', purchaseId: PURCHASE, refund: { chargedMinor: '1000', refundedMinor } },
  ...{ refundId: REFUND, saidAt: second(n), answer: null },
})
const refundSeen = (refundedMinor: string, n = 30): PurchaseEvent => ({
  type: 'PurchaseRefundSeen',
  data: { ...about, chargedMinor: '1000', refundedMinor, saidAt: second(n), askedAt: null },
})
const takenBack = (credits: number, n = 30): PurchaseEvent => {
  const amounts = { amountMicros: `${credits}000000`, totalMicros: `${credits}000000` }
  return { type: 'PurchaseCreditsTakenBack', data: { ...about, refundId: REFUND, ...amounts, takenBackAt: second(n) } }
}

describe('a dispute of a purchase', () => {
  test('withdraws the credits that the disputed money is worth, once', () => {
    given(...paid)
      .when(dispute(1, '400'))
      .then(seen(1, '400'), withdrawn(1, 400, 11))
    given(...paid, seen(1, '400'), withdrawn(1, 400, 11))
      .when(dispute(1, '400'))
      .thenNothing()
  })

  test('withdraws more if its amount is raised, and gives back what is no longer disputed', () => {
    const disputed = [...paid, seen(1, '400'), withdrawn(1, 400, 11)]
    given(...disputed)
      .when(dispute(2, '1000'))
      .then(seen(2, '1000'), withdrawn(2, 600, 12))
    given(...disputed)
      .when(dispute(2, '100'))
      .then(seen(2, '100'), reinstated(300, '0', 12))
  })

  test('that was won gives them back, once', () => {
    const won = [...paid, seen(1, '1000'), withdrawn(1, 1000, 11), seen(2, '0'), reinstated(1000, '0', 12)]
    given(...won.slice(0, 4))
      .when(dispute(2, '0'))
      .then(...won.slice(4))
    given(...won)
      .when(dispute(2, '0'))
      .thenNothing()
    given(...won)
      .when(dispute(3, '1000'))
      .then(seen(3, '1000'), withdrawn(2, 1000, 13))
  })

  test('ignores a report that is outdated', () => {
    given(...paid, seen(2, '0'))
      .when(dispute(1, '1000'))
      .thenNothing()
  })

  test('waits for the grant', () => {
    given(purchaseStarted()).when(dispute(1, '1000')).then(seen(1, '1000'))
    const payment = { sessionId: 'cs_1', paymentIntentId: 'pi_1', paidMinor: '1000', currency: 'usd', grantId: GRANT }
    given(purchaseStarted(), seen(1, '1000'))
      .when({ type: 'CompletePurchase', purchaseId: PURCHASE, ...payment, refundId: REFUND, saidAt: second(5) })
      .then(purchaseCompleted(), withdrawn(1, 1000, 5))
  })
})

describe('a dispute and a refund of one purchase', () => {
  test('together take no more than was granted, in either order', () => {
    given(...paid, seen(1, '1000'), withdrawn(1, 1000, 11))
      .when(refund('600'))
      .then(refundSeen('600'), reinstated(600, '0', 30), takenBack(600))
    given(...paid, refundSeen('600'), takenBack(600))
      .when(dispute(1, '1000'))
      .then(seen(1, '1000'), withdrawn(1, 400, 11))
  })

  test('that are each a part take their parts', () => {
    given(...paid, seen(1, '400'), withdrawn(1, 400, 11))
      .when(refund('600'))
      .then(refundSeen('600'), takenBack(600))
  })
})

describe('two disputes of one purchase', () => {
  test('together take no more than was granted, whichever is heard of first', () => {
    given(...paid, seen(1, '600', 'du_2'), withdrawn(1, 600, 11, 'du_2'))
      .when(dispute(1, '600', 'du_1'))
      .then(seen(1, '600', 'du_1'), reinstated(200, '0', 11, 'du_2'), withdrawn(1, 600, 11, 'du_1'))
    given(...paid, seen(1, '600', 'du_1'), withdrawn(1, 600, 11, 'du_1'))
      .when(dispute(1, '600', 'du_2'))
      .then(seen(1, '600', 'du_2'), withdrawn(1, 400, 11, 'du_2'))
  })
})

describe('a correction by a person of a disputed purchase', () => {
  const correct = (amountMicros: string, corrected: string | null): PurchaseCommand => ({
    ...{ type: 'CorrectCredits', purchaseId: PURCHASE, adjustmentId: LATER_REFUND, corrected, amountMicros },
    ...{ reason: 'a repair', by: USER, refundId: LATER_REFUND, at: second(40) },
  })
  const corrected = (changes: Partial<CorrectedCredits>): PurchaseEvent => ({
    type: 'PurchaseCreditsCorrected',
    data: {
      ...{ ...about, grantId: GRANT, refundId: null, amountMicros: '1', correction: 1, adjustmentId: LATER_REFUND },
      ...{ reason: 'a repair', adjustedBy: USER, isEarlier: false, correctedAt: second(40), ...changes },
    },
  })

  test('cannot take what the dispute has withdrawn', () => {
    const disputed = [...paid, seen(1, '400'), withdrawn(1, 400, 11)]
    given(...disputed)
      .when(correct('-600000000', null))
      .then(corrected({ amountMicros: '-600000000' }))
    given(...disputed)
      .when(correct('-600000001', null))
      .thenThrows('INVALID', /worth 600 after its refunds, disputes and corrections/)
  })

  test('of a refund cannot take it again while the dispute has what is left', () => {
    const givenBack = corrected({ refundId: REFUND, amountMicros: '600000000' })
    given(...paid, refundSeen('600'), takenBack(600), givenBack, seen(1, '1000'), withdrawn(1, 1000, 11))
      .when(correct('-1', REFUND))
      .thenThrows('INVALID', /more than is left of the grant/)
  })
})
