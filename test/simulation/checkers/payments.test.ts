import { expect, test } from 'vitest'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { PurchaseEvent } from '../../../contracts/events/purchase.ts'
import {
  COMPANY,
  GRANT,
  LATER_REFUND,
  PURCHASE,
  purchaseCompleted,
  purchaseStarted,
  REFUND,
  second,
} from '../../support/events/billingEvents.ts'
import { adjusted, granted, refunded } from '../../support/events/ledgerEvents.ts'
import type { StoredEvent } from './events.ts'
import { attemptsWrong, bookingsWrong, grantsWrong } from './payments.ts'
import { storedStream } from './storedStream.ts'

const PURCHASE_STREAM = `purchase-${PURCHASE}` as const
const LEDGER = `ledger-${COMPANY}` as const
const CREDITS = '1000000000'
const ids = { purchaseId: PURCHASE, companyId: COMPANY }

const grant = granted(COMPANY, { grantId: GRANT, source: 'PACK_PURCHASE', amountMicros: CREDITS })
const purchase = (...events: readonly EventOf[]) =>
  storedStream(PURCHASE_STREAM, purchaseStarted(), purchaseCompleted(), ...events)

function refundSeen(refundedMinor: string, at: number, askedAt: string | null = null): PurchaseEvent {
  return {
    type: 'PurchaseRefundSeen',
    data: { ...ids, chargedMinor: '1000', refundedMinor, saidAt: second(at), askedAt },
  }
}
function takenBack(amountMicros: string, refundId = REFUND): PurchaseEvent {
  return {
    type: 'PurchaseCreditsTakenBack',
    data: { ...ids, refundId, amountMicros, totalMicros: amountMicros, takenBackAt: second(9) },
  }
}
function corrected(amountMicros: string, refundId: string | null, adjustedBy: string | null = null): PurchaseEvent {
  const by = { adjustmentId: LATER_REFUND, reason: '', adjustedBy, isEarlier: false, correctedAt: second(9) }
  return {
    type: 'PurchaseCreditsCorrected',
    data: { ...ids, grantId: GRANT, refundId, amountMicros, correction: 1, ...by },
  }
}

test('a purchase with a refund that is booked is right', () => {
  const events = [
    ...purchase(refundSeen('250', 7), takenBack('250000000')),
    ...storedStream(LEDGER, grant, refunded(COMPANY, { refundId: REFUND, amountMicros: '250000000' })),
  ]
  expect(bookingsWrong(events)).toBeNull()
  expect(grantsWrong(events)).toBeNull()
})

test.for<[string, StoredEvent[], string]>([
  ['a payment without credits', purchase(), 'is not on the ledger'],
  [
    'credits that are granted twice',
    [...purchase(), ...storedStream(LEDGER, grant, grant)],
    'without reason, or twice',
  ],
  ['credits without a payment', storedStream(LEDGER, grant), 'without reason'],
  [
    'credits of another amount',
    [...purchase(), ...storedStream(LEDGER, granted(COMPANY, { grantId: GRANT, source: 'PACK_PURCHASE' }))],
    'and not',
  ],
  [
    'a refund that is not booked',
    [...purchase(refundSeen('250', 7), takenBack('250000000')), ...storedStream(LEDGER, grant)],
    'refund',
  ],
  [
    'a correction without a decision',
    (() => {
      const [booked] = storedStream(LEDGER, grant)
      const correction = adjusted(COMPANY, { corrects: booked?.id ?? '', correction: 1 })
      return [...purchase(), ...(booked ? [booked] : []), ...storedStream(LEDGER, grant, correction).slice(1)]
    })(),
    'correction',
  ],
])('%s is found', ([, events, message]) => {
  expect(bookingsWrong(events)).toContain(message)
})

test('a refund that takes more or less than the refunded money is worth is found', () => {
  expect(grantsWrong(purchase(refundSeen('250', 7), takenBack('250000001')))).toContain('refunds have taken')
  expect(grantsWrong(purchase(refundSeen('250', 7)))).toContain('refunds have taken 0, and not 250000000')
})

test('a failed refund is given back', () => {
  const given = [refundSeen('250', 7), takenBack('250000000'), refundSeen('0', 8), corrected('250000000', REFUND)]
  expect(grantsWrong(purchase(...given))).toBeNull()
  expect(grantsWrong(purchase(...given.slice(0, 3)))).toContain('refunds have taken 250000000, and not 0')
})

test('refunds and corrections that take more than was granted are found', () => {
  const events = purchase(corrected('-900000000', null, COMPANY), refundSeen('250', 7), takenBack('250000000'))
  expect(grantsWrong(events)).toContain('taken by refunds')
})

test('a purchase that is paid for twice is found', () => {
  expect(grantsWrong(purchase(purchaseCompleted()))).toContain('paid for twice')
})

test('a payment event that is processed twice, or never, is found', () => {
  const received: EventOf = {
    type: 'WebhookReceived',
    data: { eventId: 'evt_1', type: 'invoice.paid', userId: null, body: '', saidAt: second(0), receivedAt: second(0) },
  }
  const processed: EventOf = {
    type: 'WebhookProcessed',
    data: { eventId: 'evt_1', attempt: 1, effect: 'granted', processedAt: second(1) },
  }
  expect(attemptsWrong(storedStream('webhook-evt_1', received, processed))).toBeNull()
  expect(attemptsWrong(storedStream('webhook-evt_1', received))).toContain('not processed')
  expect(attemptsWrong(storedStream('webhook-evt_1', received, processed, processed))).toContain('ended twice')
  expect(attemptsWrong(storedStream('webhook-evt_1', received, received, processed))).toContain(
    'received more than once',
  )
})
