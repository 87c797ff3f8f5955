import type { PaymentEventChange } from '../../contracts/events/paymentEvent.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

/** Without the body, which is personal and not needed by any query. */
export type PaymentEventRow = {
  readonly eventId: string
  readonly type: string
  readonly status: 'RECEIVED' | 'PROCESSED' | 'FAILED'
  readonly attempt: number
  readonly effect: string | null
  readonly error: string | null
  readonly receivedAt: string
  readonly processedAt: string | null
}

export const webhooks: Projection<PaymentEventRow, PaymentEventChange> = {
  name: 'webhooks',
  version: 1,
  categories: ['webhook'],
  table: 'webhooks',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['eventId'],
  rowsOf: (event) => [{ eventId: event.data.eventId }],
  evolve: (row, event) => {
    if (event.type === 'WebhookReceived') {
      const { eventId, type, receivedAt } = event.data
      const outcome = { attempt: 1, effect: null, error: null, processedAt: null }
      return { eventId, type, status: 'RECEIVED', receivedAt, ...outcome }
    }
    if (!row) throw new Error(`${event.type} of webhook event ${event.data.eventId}, which was never received`)
    const { attempt } = event.data
    switch (event.type) {
      case 'WebhookProcessed': {
        const { effect, processedAt } = event.data
        return { ...row, status: 'PROCESSED', attempt, effect, error: null, processedAt }
      }
      case 'WebhookFailed':
        return { ...row, status: 'FAILED', attempt, error: event.data.error, processedAt: event.data.failedAt }
      case 'WebhookReplayed':
        return { ...row, status: 'RECEIVED', attempt, error: null, processedAt: null }
      default:
        return unexpected(event)
    }
  },
}
