import type { PaymentEventChange } from '../../contracts/events/paymentEvent.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

/** Without the body, which is personal and which no query needs. */
export type PaymentEventRow = {
  readonly event_id: string
  readonly type: string
  readonly status: 'RECEIVED' | 'PROCESSED' | 'FAILED'
  readonly attempt: number
  readonly effect: string | null
  readonly error: string | null
  readonly received_at: string
  readonly processed_at: string | null
}

export const webhooks: Projection<PaymentEventRow, PaymentEventChange> = {
  name: 'webhooks',
  version: 1,
  categories: ['webhook'],
  table: 'webhooks',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['event_id'],
  rowsOf: (event) => [{ event_id: event.data.eventId }],
  evolve: (row, event) => {
    if (event.type === 'WebhookReceived') {
      const { eventId, type, receivedAt } = event.data
      const outcome = { attempt: 1, effect: null, error: null, processed_at: null }
      return { event_id: eventId, type, status: 'RECEIVED', received_at: receivedAt, ...outcome }
    }
    if (!row) throw new Error(`${event.type} of webhook event ${event.data.eventId}, which was never received`)
    const { attempt } = event.data
    switch (event.type) {
      case 'WebhookProcessed': {
        const { effect, processedAt } = event.data
        return { ...row, status: 'PROCESSED', attempt, effect, error: null, processed_at: processedAt }
      }
      case 'WebhookFailed':
        return { ...row, status: 'FAILED', attempt, error: event.data.error, processed_at: event.data.failedAt }
      case 'WebhookReplayed':
        return { ...row, status: 'RECEIVED', attempt, error: null, processed_at: null }
      default:
        return unexpected(event)
    }
  },
}
