import { expect, test } from 'vitest'
import type { WebhookEvent } from '../../contracts/events/webhook.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import { second } from '../../test/support/events/paymentEvents.ts'
import { applyEvents } from '../projection.ts'
import { webhooks } from './projection.ts'

const eventId = 'evt_1'
const received: WebhookEvent = {
  type: 'WebhookReceived',
  data: { eventId, type: 'invoice.paid', userId: null, body: 'sealed', saidAt: second(0), receivedAt: second(1) },
}
const failed: WebhookEvent = {
  type: 'WebhookFailed',
  data: { eventId, attempt: 1, error: 'no plan', failedAt: second(2) },
}
const replayed: WebhookEvent = { type: 'WebhookReplayed', data: { eventId, attempt: 2, replayedAt: second(3) } }
const processed: WebhookEvent = {
  type: 'WebhookProcessed',
  data: { eventId, attempt: 2, effect: 'paid', processedAt: second(4) },
}
const rowsAfter = (...events: WebhookEvent[]) => [
  ...applyEvents(webhooks, history(streamName('webhook', eventId), ...events)).values(),
]

test('the row follows a webhook event from receipt over failure and replay to success, without its body', () => {
  const row = { event_id: eventId, type: 'invoice.paid', received_at: second(1) }
  const open = { effect: null, error: null, processed_at: null }
  expect(rowsAfter(received)).toEqual([{ ...row, status: 'RECEIVED', attempt: 1, ...open }])
  expect(rowsAfter(received, failed)).toEqual([
    { ...row, status: 'FAILED', attempt: 1, effect: null, error: 'no plan', processed_at: second(2) },
  ])
  expect(rowsAfter(received, failed, replayed)).toEqual([{ ...row, status: 'RECEIVED', attempt: 2, ...open }])
  expect(rowsAfter(received, failed, replayed, processed)).toEqual([
    { ...row, status: 'PROCESSED', attempt: 2, effect: 'paid', error: null, processed_at: second(4) },
  ])
})

test('a webhook event that was never received cannot be processed', () => {
  expect(() => rowsAfter(processed)).toThrow(/never received/)
})
