import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'
import { providerId } from './payment.ts'

/** The event types that the endpoint has to be registered for. */
export const PAYMENT_EVENT_TYPES = [
  'checkout.session.completed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.finalized',
  'invoice.finalization_failed',
  'invoice.payment_action_required',
  'invoice.upcoming',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.trial_will_end',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'charge.refunded',
] as const

/** Types that are also understood if the endpoint is registered for them. Without them, the provider is asked daily. */
export const OTHER_PAYMENT_EVENT_TYPES = [
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'payment_intent.succeeded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

const UNDERSTOOD = [...PAYMENT_EVENT_TYPES, ...OTHER_PAYMENT_EVENT_TYPES] as const
export type PaymentEventType = (typeof UNDERSTOOD)[number]

export function isPaymentEventType(type: string): type is PaymentEventType {
  return (UNDERSTOOD as readonly string[]).includes(type)
}

/** The user that the event names, so that erasing them erases the body; otherwise the event itself. */
const subject: Subject = ({ userId, eventId }) => (userId === null ? `webhook-${eventId}` : `user-${userId}`)

const attempt = { eventId: providerId, attempt: z.int().positive() }

export const paymentEventChanges = {
  WebhookReceived: event(
    2,
    z.strictObject({
      eventId: providerId,
      type: z.enum(UNDERSTOOD),
      userId: id.nullable(),
      body: personal(),
      /** The provider's own time of the event. */
      saidAt: isoTime,
      receivedAt: isoTime,
    }),
    // Version 1 had fewer types.
    { subjectOf: subject, upcasters: { 1: (data) => data } },
  ),
  /** `effect` summarises the result in a few words. */
  WebhookProcessed: event(1, z.strictObject({ ...attempt, effect: z.string(), processedAt: isoTime })),
  WebhookFailed: event(1, z.strictObject({ ...attempt, error: z.string(), failedAt: isoTime })),
  /** An operator requested that the event be processed again. */
  WebhookReplayed: event(1, z.strictObject({ ...attempt, replayedAt: isoTime })),
}

export type PaymentEventChange = EventUnion<typeof paymentEventChanges>
