import { z } from 'zod'
import { validDays } from './creditPack.ts'
import { type EventUnion, event, id, isoTime, positiveMicros, type Upcaster } from './definition.ts'
import {
  askedAt,
  correctedCredits,
  currency,
  minorAmount,
  providerId,
  reinstatedCredits,
  seenDispute,
  withdrawnCredits,
  withoutAskedAt,
} from './payment.ts'

const purchase = { purchaseId: id, companyId: id }

/** The provider's default, which applied to every session recorded without its expiry. */
const SESSION_MS = 24 * 60 * 60 * 1_000
const withDefaultExpiry: Upcaster = (data) => ({
  ...data,
  expiresAt: new Date(Date.parse(String(data.openedAt)) + SESSION_MS).toISOString(),
})

export const purchaseEvents = {
  PurchaseStarted: event(
    2,
    z.strictObject({
      ...purchase,
      userId: id,
      packId: id,
      creditsMicros: positiveMicros,
      /** In major units of the currency, as a decimal string. */
      price: z.string(),
      currency,
      /** How many days after the payment the credits can be used; null if they do not expire. */
      validDays: validDays.nullable(),
      startedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, validDays: null }) } },
  ),
  PurchaseCheckoutOpened: event(
    2,
    z.strictObject({ ...purchase, sessionId: providerId, openedAt: isoTime, expiresAt: isoTime }),
    { upcasters: { 1: withDefaultExpiry } },
  ),
  PurchaseCompleted: event(
    2,
    z.strictObject({
      ...purchase,
      /** null if it was paid without a checkout page. */
      sessionId: providerId.nullable(),
      paymentIntentId: providerId.nullable(),
      paidMinor: minorAmount,
      currency,
      /** The ledger grant that follows from this. */
      grantId: id,
      creditsMicros: positiveMicros,
      /** When the credits expire; null if they do not. */
      expiresAt: isoTime.nullable(),
      completedAt: isoTime,
    }),
    { upcasters: { 1: (data) => ({ ...data, expiresAt: null }) } },
  ),
  /** The session ended without a payment, after one was attempted. A payment that is reported later still completes it. */
  PurchaseFailed: event(1, z.strictObject({ ...purchase, reason: z.string(), failedAt: isoTime })),
  /** The session has expired without an attempted payment. */
  PurchaseExpired: event(1, z.strictObject({ ...purchase, expiredAt: isoTime })),
  /**
   * The amount that the provider has refunded so far, and the amount that it had charged. `askedAt` is null if an event
   * of the provider reported it.
   */
  PurchaseRefundSeen: event(
    2,
    z.strictObject({ ...purchase, chargedMinor: minorAmount, refundedMinor: minorAmount, saidAt: isoTime, askedAt }),
    { upcasters: { 1: withoutAskedAt } },
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
  PurchaseCreditsCorrected: event(1, z.strictObject({ ...purchase, ...correctedCredits })),
  PurchaseDisputeSeen: event(1, z.strictObject({ ...purchase, ...seenDispute })),
  PurchaseCreditsWithdrawn: event(1, z.strictObject({ ...purchase, ...withdrawnCredits })),
  PurchaseCreditsReinstated: event(1, z.strictObject({ ...purchase, ...reinstatedCredits })),
}

export type PurchaseEvent = EventUnion<typeof purchaseEvents>
