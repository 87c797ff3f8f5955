import { z } from 'zod'
import { validDays } from './creditPack.ts'
import { type EventUnion, event, id, isoTime, nonNegativeMicros, positiveMicros } from './definition.ts'
import { currency, minorAmount, providerId } from './payment.ts'
import { month, signedOrZeroMicros } from './postpaid.ts'

/**
 * Why automatic top-up is off: an admin switched it off, too many payments in a row were declined, or a payment of it was
 * given back, which would have it charge the holder again at once.
 */
export const TOP_UP_OFF_REASONS = ['ADMIN', 'DECLINED', 'PAYMENT_RETURNED'] as const
export type TopUpOffReason = (typeof TOP_UP_OFF_REASONS)[number]

/** What the payment is for, as its start recorded it. */
const amount = { amountMinor: minorAmount, currency }
const attempt = { companyId: id, attemptId: id }

export const topUpEvents = {
  /** A person agreed at a checkout that the payment method may be charged later without them. It replaces the one before. */
  TopUpMethodSaved: event(
    1,
    z.strictObject({
      companyId: id,
      methodId: providerId,
      customerId: providerId,
      /** The purchase at whose checkout the person agreed. */
      purchaseId: id,
      agreedBy: id,
      savedAt: isoTime,
    }),
  ),
  /** It was removed at the payment provider first. To charge it again needs a new consent. */
  TopUpMethodRemoved: event(
    1,
    z.strictObject({ companyId: id, methodId: providerId, removedBy: id, removedAt: isoTime }),
  ),
  /** Also switches top-up on. */
  TopUpSet: event(
    1,
    z.strictObject({
      companyId: id,
      /** A balance below this is topped up. */
      thresholdMicros: positiveMicros,
      packId: id,
      /** The most that the attempts of one calendar month in UTC may cost together. */
      ceilingMinor: minorAmount,
      currency,
      setBy: id,
      setAt: isoTime,
    }),
  ),
  TopUpSwitchedOff: event(
    1,
    z.strictObject({
      companyId: id,
      reason: z.enum(TOP_UP_OFF_REASONS),
      /** null unless an admin did it. */
      switchedOffBy: id.nullable(),
      switchedOffAt: isoTime,
    }),
  ),
  /** Everything that the payment and the purchase need, so that any reactor can carry the attempt to its end. */
  TopUpStarted: event(
    1,
    z.strictObject({
      ...attempt,
      purchaseId: id,
      /** All credits ever granted to the company. They only grow, so they tell one fall of the balance from the next. */
      grantsMicros: nonNegativeMicros,
      balanceMicros: signedOrZeroMicros,
      methodId: providerId,
      customerId: providerId,
      /** The admin whose settings the attempt follows. */
      userId: id,
      packId: id,
      creditsMicros: positiveMicros,
      /** In major units of the currency, as a decimal string. */
      price: z.string(),
      amountMinor: minorAmount,
      currency,
      validDays: validDays.nullable(),
      /** The month whose ceiling it counts against. */
      month,
      startedAt: isoTime,
    }),
  ),
  /** The payment was made, perhaps after the attempt had been given up. */
  TopUpSucceeded: event(1, z.strictObject({ ...attempt, paymentIntentId: providerId, succeededAt: isoTime })),
  TopUpDeclined: event(
    1,
    z.strictObject({
      ...attempt,
      ...amount,
      paymentIntentId: providerId.nullable(),
      reason: z.string(),
      declinedAt: isoTime,
    }),
  ),
  /** The bank asks the holder of the payment method to confirm the payment. */
  TopUpConfirmationNeeded: event(
    1,
    z.strictObject({
      ...attempt,
      ...amount,
      paymentIntentId: providerId,
      /** Where the payment is confirmed; null if the provider named no address. */
      confirmUrl: z.string().nullable(),
      /** The attempt is given up then. */
      confirmBy: isoTime,
      askedAt: isoTime,
    }),
  ),
  /** Nothing was paid, and the payment can no longer be made. */
  TopUpGivenUp: event(1, z.strictObject({ ...attempt, reason: z.string(), givenUpAt: isoTime })),
}

export type TopUpEvent = EventUnion<typeof topUpEvents>
