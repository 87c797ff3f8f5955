import { z } from 'zod'
import { type EventUnion, event, id, isoTime } from './definition.ts'
import { askedAt, currency, minorAmount, providerId, withoutAskedAt } from './payment.ts'

export const SUBSCRIPTION_STATUSES = [
  'INCOMPLETE',
  'TRIALING',
  'ACTIVE',
  'PAST_DUE',
  'PAUSED',
  'UNPAID',
  'CANCELED',
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** A subscription as the provider described it at one moment. */
export const subscriptionFacts = z.strictObject({
  status: z.enum(SUBSCRIPTION_STATUSES),
  /** null if the price does not belong to one of our plans. */
  planId: id.nullable(),
  startedAt: isoTime.nullable(),
  endedAt: isoTime.nullable(),
  trialEndAt: isoTime.nullable(),
  periodEndAt: isoTime.nullable(),
  cancelAtPeriodEnd: z.boolean(),
})
export type SubscriptionFacts = z.infer<typeof subscriptionFacts>

const subscription = { subscriptionId: providerId, companyId: id }
/** A report by the provider. saidAt is the provider's own time of it, which orders the reports about one object. */
const report = z.strictObject({ ...subscription, saidAt: isoTime, facts: subscriptionFacts })

export const subscriptionEvents = {
  SubscriptionCreated: event(1, report),
  SubscriptionUpdated: event(1, report),
  SubscriptionPaused: event(1, report),
  SubscriptionResumed: event(1, report),
  SubscriptionCanceled: event(1, report),
  SubscriptionTrialEnding: event(1, report),
  /** The provider's answer when asked: about a second for which its events disagree, or after a change. */
  SubscriptionAnswered: event(2, report.extend({ askedAt }), { upcasters: { 1: withoutAskedAt } }),
  /** The checkout on the provider's page was completed. */
  SubscriptionCheckedOut: event(
    1,
    z.strictObject({
      ...subscription,
      saidAt: isoTime,
      sessionId: providerId,
      planId: id.nullable(),
      userId: id.nullable(),
    }),
  ),
  SubscriptionRenewalAnnounced: event(
    1,
    z.strictObject({
      ...subscription,
      saidAt: isoTime,
      amountMinor: minorAmount,
      currency,
      renewsAt: isoTime.nullable(),
    }),
  ),
  /** The plan of the next period, after a downgrade; null if the current plan continues after all. */
  SubscriptionPlanScheduled: event(1, z.strictObject({ ...subscription, planId: id.nullable(), scheduledAt: isoTime })),
  /** The company already had a running subscription, so this one is ended and its payment refunded. */
  SubscriptionDuplicateFound: event(
    1,
    z.strictObject({ ...subscription, keptSubscriptionId: providerId, foundAt: isoTime }),
  ),
  /** The duplicate is canceled at the provider. No amount: there was no payment to refund. */
  SubscriptionDuplicateEnded: event(
    1,
    z.strictObject({
      ...subscription,
      keptSubscriptionId: providerId,
      refunded: z.strictObject({ amountMinor: minorAmount, currency }).nullable(),
      endedAt: isoTime,
    }),
  ),
  /** By an operator, when the provider no longer reports on the subscription. */
  SubscriptionDeactivated: event(1, z.strictObject({ ...subscription, deactivatedAt: isoTime })),
}

export type SubscriptionEvent = EventUnion<typeof subscriptionEvents>
