import { z } from 'zod'
import { type EventUnion, event, id, isoTime, personal, type Subject } from './definition.ts'
import { providerId } from './payment.ts'

/** The types that the endpoint is registered for, and no other. */
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

/** Of the user that the event names, so that it goes when they are erased; else of nobody but the event itself. */
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
      /** The provider's own time of it. */
      saidAt: isoTime,
      receivedAt: isoTime,
    }),
    { subjectOf: subject },
  ),
  /** With what came of it, in a few words. */
  WebhookProcessed: event(1, z.strictObject({ ...attempt, effect: z.string(), processedAt: isoTime })),
  WebhookFailed: event(1, z.strictObject({ ...attempt, error: z.string(), failedAt: isoTime })),
  /** An operator wants it processed once more. */
  WebhookReplayed: event(1, z.strictObject({ ...attempt, replayedAt: isoTime })),
}

export type WebhookEvent = EventUnion<typeof webhookEvents>
