import { streamName } from '../../../../../contracts/streams.ts'
import { paymentEventDecider } from '../../../../../domain/paymentEvent/decider.ts'
import { type PaymentEventRow, webhooks as webhooksModel } from '../../../../../projections/webhooks/projection.ts'
import { paymentEventsByStatus } from '../../../../../projections/webhooks/queries.ts'
import { requireSuperAdmin } from '../../access/access.ts'
import { notFound } from '../../apiError.ts'
import { change, nowOf } from '../../context.ts'
import type { Resolvers, WebhookEvent } from '../../generated.ts'
import { LIST_ROWS_MAX } from '../../paging.ts'

const PROVIDER_ID = /^[A-Za-z0-9_-]{1,200}$/

/** Payment events and how they were processed. */
export const paymentEvents: Resolvers = {
  Query: {
    webhookEvents: async (_source, { status }, context) => {
      requireSuperAdmin(context)
      const rows = await paymentEventsByStatus(context.runtime.engines.database, status ?? null, LIST_ROWS_MAX)
      return rows.map(shownPaymentEvent)
    },
  },

  Mutation: {
    replayWebhook: async (_source, { id }, context) => {
      requireSuperAdmin(context)
      if (!PROVIDER_ID.test(id)) throw notFound('webhook event', id)
      const command = { type: 'ReplayPaymentEvent', eventId: id, at: nowOf(context) } as const
      return shownPaymentEvent(
        await change(context, webhooksModel, paymentEventDecider, streamName('webhook', id), command),
      )
    },
  },
}

function shownPaymentEvent({
  eventId,
  type,
  status,
  effect,
  error,
  receivedAt,
  processedAt,
}: PaymentEventRow): WebhookEvent {
  return { id: eventId, type, status, effect, error, receivedAt, processedAt }
}
