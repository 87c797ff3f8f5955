import { test } from 'vitest'
import type { PaymentEventChange } from '../../contracts/events/paymentEvent.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { second } from '../../test/support/events/billingEvents.ts'
import { type PaymentEventCommand, paymentEventDecider } from './decider.ts'

const given = specificationOf(paymentEventDecider)
const eventId = 'evt_1'
const facts = { eventId, userId: null, body: '{}', saidAt: second(1) } as const
const received: PaymentEventChange = {
  type: 'WebhookReceived',
  data: { ...facts, type: 'invoice.paid', receivedAt: second(2) },
}
const processed = (attempt: number): PaymentEventChange => ({
  type: 'WebhookProcessed',
  data: { eventId, attempt, effect: 'paid', processedAt: second(3) },
})
const failed = (attempt: number): PaymentEventChange => ({
  type: 'WebhookFailed',
  data: { eventId, attempt, error: 'no company', failedAt: second(3) },
})
const replayed = (attempt: number): PaymentEventChange => ({
  type: 'WebhookReplayed',
  data: { eventId, attempt, replayedAt: second(4) },
})
const complete = (attempt: number): PaymentEventCommand => ({
  type: 'CompletePaymentEvent',
  eventId,
  attempt,
  effect: 'paid',
  at: second(3),
})
const fail = (attempt: number): PaymentEventCommand => ({
  type: 'FailPaymentEvent',
  eventId,
  attempt,
  error: 'no company',
  at: second(3),
})
const replay: PaymentEventCommand = { type: 'ReplayPaymentEvent', eventId, at: second(4) }

test('an event is received once', () => {
  const receive: PaymentEventCommand = {
    type: 'ReceivePaymentEvent',
    paymentEventType: 'invoice.paid',
    ...facts,
    at: second(2),
  }
  given().when(receive).then(received)
  given(received, processed(1)).when(receive).thenNothing()
})

test('each attempt is completed or failed once', () => {
  given(received).when(complete(1)).then(processed(1))
  given(received).when(fail(1)).then(failed(1))
  given(received, processed(1)).when(fail(1)).thenNothing()
  given(received, failed(1)).when(complete(1)).thenNothing()
})

test('a replay starts another attempt, which a late end of the previous one does not end', () => {
  given(received, failed(1)).when(replay).then(replayed(2))
  given(received, failed(1), replayed(2)).when(complete(1)).thenNothing()
  given(received, failed(1), replayed(2)).when(complete(2)).then(processed(2))
  given(received, failed(1), replayed(2)).when(replay).thenNothing()
})

test('commands on an unknown payment event are refused', () => {
  for (const command of [replay, complete(1), fail(1)]) given().when(command).thenThrows('NOT_FOUND')
})
