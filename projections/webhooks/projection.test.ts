import { expect, test } from 'vitest'
import type { PaymentEventChange } from '../../contracts/events/paymentEvent.ts'
import { streamName } from '../../contracts/streams.ts'
import { second } from '../../test/support/events/billingEvents.ts'
import { history } from '../../test/support/events/history.ts'
import { applyEvents } from '../projection.ts'
import { webhooks } from './projection.ts'

const eventId = 'evt_1'
const received: PaymentEventChange = {
  type: 'WebhookReceived',
  data: { eventId, type: 'invoice.paid', userId: null, body: 'sealed', saidAt: second(0), receivedAt: second(1) },
}
const failed: PaymentEventChange = {
  type: 'WebhookFailed',
  data: { eventId, attempt: 1, error: 'no plan', failedAt: second(2) },
}
const replayed: PaymentEventChange = { type: 'WebhookReplayed', data: { eventId, attempt: 2, replayedAt: second(3) } }
const processed: PaymentEventChange = {
  type: 'WebhookProcessed',
  data: { eventId, attempt: 2, effect: 'paid', processedAt: second(4) },
}
const rowsAfter = (...events: PaymentEventChange[]) => [
  ...applyEvents(webhooks, history(streamName('webhook', eventId), ...events)).values(),
]

test('the row follows a payment event from receipt through failure and replay to success, without its body', () => {
  const row = { eventId, type: 'invoice.paid', receivedAt: second(1) }
  const open = { effect: null, error: null, processedAt: null }
  expect(rowsAfter(received)).toEqual([{ ...row, status: 'RECEIVED', attempt: 1, ...open }])
  expect(rowsAfter(received, failed)).toEqual([
    { ...row, status: 'FAILED', attempt: 1, effect: null, error: 'no plan', processedAt: second(2) },
  ])
  expect(rowsAfter(received, failed, replayed)).toEqual([{ ...row, status: 'RECEIVED', attempt: 2, ...open }])
  expect(rowsAfter(received, failed, replayed, processed)).toEqual([
    { ...row, status: 'PROCESSED', attempt: 2, effect: 'paid', error: null, processedAt: second(4) },
  ])
})

test('a payment event that was never received cannot be processed', () => {
  expect(() => rowsAfter(processed)).toThrow(/never received/)
})
