import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { OutgoingMessage } from '../../contracts/topics.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import type { Span, SpanOptions, Tracing } from '../../platform/tracing/port.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { sendTraced } from './sendTraced.ts'

const APPENDED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const PUBLISHED = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01'
const clock = new ManualClock()

/** Remembers what happened to its spans. */
function remembering() {
  const steps: unknown[] = []
  const begin = (name: string, { parent, kind }: SpanOptions = {}): Span => {
    steps.push(['begin', name, kind, parent])
    return {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      traceparent: PUBLISHED,
      set: () => {},
      fail: (reason) => steps.push(['fail', reason]),
      end: () => steps.push(['end']),
    }
  }
  const tracing: Tracing = { begin, close: () => Promise.resolve() }
  return { tracing, steps }
}

function messageOf(traceparent: string | undefined, ageMs = 0): OutgoingMessage {
  const { metadata, ...event } = anEvent()
  const position = '1' as Position
  const recorded: RecordedEvent = {
    ...{ ...event, stream: 'ledger-a', revision: 0, position, recordedAt: isoTime(clock.now() - ageMs) },
    metadata: traceparent === undefined ? metadata : { ...metadata, traceparent },
  }
  return { category: 'ledger', number: 0, previous: '' as Position, position, event: recorded }
}

test('a traced event is published in a span, whose traceparent its message has; others are sent as they are', async () => {
  const { tracing, steps } = remembering()
  const sent: (string | undefined)[] = []
  const publisher = {
    send: async (messages: readonly OutgoingMessage[]) => {
      steps.push(['send'])
      sent.push(...messages.map((message) => message.traceparent))
    },
  }
  const old = messageOf(APPENDED, 11 * 60_000)
  await sendTraced(publisher, tracing, clock, [messageOf(APPENDED), messageOf(undefined), old])
  expect(sent).toEqual([PUBLISHED, undefined, undefined])
  expect(steps).toEqual([['begin', 'publish ledger', 'producer', APPENDED], ['send'], ['end']])
})

test('the span of a message that Kafka does not acknowledge has failed', async () => {
  const { tracing, steps } = remembering()
  const publisher = { send: () => Promise.reject(new Error('no broker')) }
  await expect(sendTraced(publisher, tracing, clock, [messageOf(APPENDED)])).rejects.toThrow('no broker')
  expect(steps.slice(1)).toEqual([['fail', 'not_acknowledged'], ['end']])
})
