import type { PaymentEventChange, PaymentEventType } from '../../contracts/events/paymentEvent.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

export type PaymentEventState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'received' | 'processed' | 'failed'
      /** Counts from 1; each replay starts another attempt. */
      readonly attempt: number
    }

export function evolve(state: PaymentEventState, event: PaymentEventChange): PaymentEventState {
  switch (event.type) {
    case 'WebhookReceived':
      return { status: 'received', attempt: 1 }
    case 'WebhookProcessed':
      return { ...state, status: 'processed', attempt: event.data.attempt }
    case 'WebhookFailed':
      return { ...state, status: 'failed', attempt: event.data.attempt }
    case 'WebhookReplayed':
      return { status: 'received', attempt: event.data.attempt }
    default:
      return unexpected(event)
  }
}

export type PaymentEventCommand =
  | {
      readonly type: 'ReceivePaymentEvent'
      readonly eventId: string
      readonly paymentEventType: PaymentEventType
      readonly userId: string | null
      readonly body: string
      readonly saidAt: string
      readonly at: string
    }
  | {
      readonly type: 'CompletePaymentEvent'
      readonly eventId: string
      readonly attempt: number
      readonly effect: string
      readonly at: string
    }
  | {
      readonly type: 'FailPaymentEvent'
      readonly eventId: string
      readonly attempt: number
      readonly error: string
      readonly at: string
    }
  | { readonly type: 'ReplayPaymentEvent'; readonly eventId: string; readonly at: string }

export function decide(command: PaymentEventCommand, state: PaymentEventState): PaymentEventChange[] {
  const { eventId, at } = command
  if (command.type === 'ReceivePaymentEvent') {
    if (state.status !== 'unknown') return []
    const { paymentEventType: type, userId, body, saidAt } = command
    return [{ type: 'WebhookReceived', data: { eventId, type, userId, body, saidAt, receivedAt: at } }]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no webhook event ${eventId}`)
  switch (command.type) {
    case 'CompletePaymentEvent': {
      const { attempt, effect } = command
      if (isOver(state, attempt)) return []
      return [{ type: 'WebhookProcessed', data: { eventId, attempt, effect, processedAt: at } }]
    }
    case 'FailPaymentEvent': {
      const { attempt, error } = command
      if (isOver(state, attempt)) return []
      return [{ type: 'WebhookFailed', data: { eventId, attempt, error, failedAt: at } }]
    }
    case 'ReplayPaymentEvent':
      if (state.status === 'received') return []
      return [{ type: 'WebhookReplayed', data: { eventId, attempt: state.attempt + 1, replayedAt: at } }]
    default:
      return unexpected(command)
  }
}

/** Whether this attempt has already ended, or a later one has started. */
function isOver(state: Exclude<PaymentEventState, { status: 'unknown' }>, attempt: number): boolean {
  return state.attempt > attempt || state.status !== 'received'
}

export const paymentEventDecider: Decider<PaymentEventState, PaymentEventCommand, PaymentEventChange> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
