import { z } from 'zod'
import { type EventUnion, event, id, isoTime, positiveMicros } from './definition.ts'
import { currency, minorAmount, providerId } from './payment.ts'

const purchase = { purchaseId: id, companyId: id }

export const purchaseEvents = {
  PurchaseStarted: event(
    1,
    z.strictObject({
      ...purchase,
      userId: id,
      packId: id,
      creditsMicros: positiveMicros,
      /** In major units of the currency, as a decimal string. */
      price: z.string(),
      currency,
      startedAt: isoTime,
    }),
  ),
  PurchaseCheckoutOpened: event(1, z.strictObject({ ...purchase, sessionId: providerId, openedAt: isoTime })),
  PurchaseCompleted: event(
    1,
    z.strictObject({
      ...purchase,
      sessionId: providerId,
      paymentIntentId: providerId.nullable(),
      paidMinor: minorAmount,
      currency,
      /** The ledger grant that follows from this. */
      grantId: id,
      creditsMicros: positiveMicros,
      completedAt: isoTime,
    }),
  ),
  /** The amount that the provider has refunded so far, and the amount that it had charged. */
  PurchaseRefundSeen: event(
    1,
    z.strictObject({ ...purchase, chargedMinor: minorAmount, refundedMinor: minorAmount, saidAt: isoTime }),
  ),
  /** The ledger refund that follows from the refunds seen, with the total taken back so far. */
  PurchaseCreditsTakenBack: event(
    1,
    z.strictObject({
      ...purchase,
      refundId: id,
      amountMicros: positiveMicros,
      totalMicros: positiveMicros,
      takenBackAt: isoTime,
    }),
  ),
}

export type PurchaseEvent = EventUnion<typeof purchaseEvents>
