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
      /** The grant on the ledger that follows from this. */
      grantId: id,
      creditsMicros: positiveMicros,
      completedAt: isoTime,
    }),
  ),
  /** What the provider has paid back so far, of what it had charged. */
  PurchaseRefundSeen: event(
    1,
    z.strictObject({ ...purchase, chargedMinor: minorAmount, refundedMinor: minorAmount, saidAt: isoTime }),
  ),
  /** The refund on the ledger that follows from one that was seen, and what was taken back with it in all. */
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
