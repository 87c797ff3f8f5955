import { expect, test } from 'vitest'
import { MESSAGE_HEADERS } from '../../../contracts/topics.ts'
import { anEvent } from '../../../test/support/events.ts'
import { decodedOnce } from './topicMessages.ts'

const PUBLISHED = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'

test('an event continues the trace of its message; without that header it keeps its own metadata', () => {
  const event = { ...anEvent(), stream: 'ledger-a', revision: 0, position: '1', recordedAt: '2026-01-01T00:00:00.000Z' }
  const headers = { [MESSAGE_HEADERS.position]: Buffer.from('1'), [MESSAGE_HEADERS.previous]: Buffer.from('') }
  const value = Buffer.from(JSON.stringify(event))
  const traced = { ...headers, [MESSAGE_HEADERS.traceparent]: Buffer.from(PUBLISHED) }
  const messages = [
    { headers, value },
    { headers: traced, value },
    { headers, value: null },
  ]
  const read = [...decodedOnce(messages, (stored) => stored)].map((message) => message.event)
  expect(read).toEqual([event, { ...event, metadata: { ...event.metadata, traceparent: PUBLISHED } }, null])
})
