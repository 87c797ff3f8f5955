import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { OutgoingMessage } from '../../contracts/topics.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { decodedOnce, headersOf, isOfRelay } from './topicMessages.ts'

const PUBLISHED = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'
const position = '1' as Position
const place = { stream: 'ledger-a', revision: 0, position, recordedAt: '2026-01-01T00:00:00.000Z' }
const event: RecordedEvent = { ...anEvent(), ...place }

/** As Kafka gives a message back. */
function stored(message: OutgoingMessage) {
  const headers = Object.entries(headersOf(message)).map(([name, value]) => [name, Buffer.from(value)])
  return {
    headers: Object.fromEntries(headers) as Record<string, Buffer>,
    value: message.event && Buffer.from(JSON.stringify(message.event)),
  }
}

test('messages are read as they were published; a traced event continues the trace of its message', () => {
  const message = { category: 'ledger', number: 0, previous: BEGINNING, position, event } as const
  const messages = [message, { ...message, traceparent: PUBLISHED }, { ...message, event: null }].map(stored)
  expect(messages.every(isOfRelay)).toBe(true)
  const traced = { ...event, metadata: { ...event.metadata, traceparent: PUBLISHED } }
  expect([...decodedOnce(messages, (each) => each)]).toEqual(
    [event, traced, null].map((read) => ({ previous: BEGINNING, position, event: read })),
  )
})
