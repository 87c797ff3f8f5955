import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'
import { providerId } from './payment.ts'

/** All event types that the endpoint is registered for. */
export const WEBHOOK_TYPES = [
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
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

export function isWebhookType(type: string): type is WebhookType {
  return (WEBHOOK_TYPES as readonly string[]).includes(type)
}

/** The user that the event names, so that erasing them erases the body; otherwise the event itself. */
const subject: Subject = ({ userId, eventId }) => (userId === null ? `webhook-${eventId}` : `user-${userId}`)

const attempt = { eventId: providerId, attempt: z.int().positive() }

export const webhookEvents = {
  WebhookReceived: event(
    1,
    z.strictObject({
      eventId: providerId,
      type: z.enum(WEBHOOK_TYPES),
      userId: id.nullable(),
      body: personal(),
      /** The provider's own time of the event. */
      saidAt: isoTime,
      receivedAt: isoTime,
    }),
    { subjectOf: subject },
  ),
  /** `effect` summarises the result in a few words. */
  WebhookProcessed: event(1, z.strictObject({ ...attempt, effect: z.string(), processedAt: isoTime })),
  WebhookFailed: event(1, z.strictObject({ ...attempt, error: z.string(), failedAt: isoTime })),
  /** An operator requested that the event be processed again. */
  WebhookReplayed: event(1, z.strictObject({ ...attempt, replayedAt: isoTime })),
}

export type WebhookEvent = EventUnion<typeof webhookEvents>
