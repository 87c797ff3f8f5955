import type { WebhookEvent, WebhookType } from '../../contracts/events/webhook.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'

export type WebhookState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'received' | 'processed' | 'failed'
      /** Counts from 1; each replay starts another attempt. */
      readonly attempt: number
    }

export function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
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

export type WebhookCommand =
  | {
      readonly type: 'ReceiveWebhook'
      readonly eventId: string
      readonly webhookType: WebhookType
      readonly userId: string | null
      readonly body: string
      readonly saidAt: string
      readonly at: string
    }
  | {
      readonly type: 'CompleteWebhook'
      readonly eventId: string
      readonly attempt: number
      readonly effect: string
      readonly at: string
    }
  | {
      readonly type: 'FailWebhook'
      readonly eventId: string
      readonly attempt: number
      readonly error: string
      readonly at: string
    }
  | { readonly type: 'ReplayWebhook'; readonly eventId: string; readonly at: string }

export function decide(command: WebhookCommand, state: WebhookState): WebhookEvent[] {
  const { eventId, at } = command
  if (command.type === 'ReceiveWebhook') {
    if (state.status !== 'unknown') return []
    const { webhookType: type, userId, body, saidAt } = command
    return [{ type: 'WebhookReceived', data: { eventId, type, userId, body, saidAt, receivedAt: at } }]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no webhook event ${eventId}`)
  switch (command.type) {
    case 'CompleteWebhook': {
      const { attempt, effect } = command
      if (isOver(state, attempt)) return []
      return [{ type: 'WebhookProcessed', data: { eventId, attempt, effect, processedAt: at } }]
    }
    case 'FailWebhook': {
      const { attempt, error } = command
      if (isOver(state, attempt)) return []
      return [{ type: 'WebhookFailed', data: { eventId, attempt, error, failedAt: at } }]
    }
    case 'ReplayWebhook':
      if (state.status === 'received') return []
      return [{ type: 'WebhookReplayed', data: { eventId, attempt: state.attempt + 1, replayedAt: at } }]
    default:
      return unexpected(command)
  }
}

/** Whether this attempt has ended already, or a later one has started. */
function isOver(state: Exclude<WebhookState, { status: 'unknown' }>, attempt: number): boolean {
  return state.attempt > attempt || state.status !== 'received'
}

export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
