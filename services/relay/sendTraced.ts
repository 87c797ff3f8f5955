import type { OutgoingMessage } from '../../contracts/topics.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Publisher } from '../../platform/feed/kafkaPublisher.ts'
import { eventAttributes, traceOfEvent } from '../../platform/tracing/eventTrace.ts'
import type { Span, Tracing } from '../../platform/tracing/port.ts'

/** Publishes with a span for each traced event, whose consumers continue the trace from there. */
export async function sendTraced(
  publisher: Pick<Publisher, 'send'>,
  tracing: Tracing,
  clock: Clock,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  const spans: Span[] = []
  const traced = messages.map((message) => {
    const parent = message.event ? traceOfEvent(message.event, clock.now()) : undefined
    if (message.event === null || parent === undefined) return message
    const attributes = {
      'messaging.system': 'kafka',
      'messaging.operation.type': 'send',
      ...eventAttributes(message.event),
    }
    const span = tracing.begin(`publish ${message.category}`, { kind: 'producer', parent, attributes })
    spans.push(span)
    return span.traceparent === null ? message : { ...message, traceparent: span.traceparent }
  })
  try {
    await publisher.send(traced)
  } catch (error) {
    for (const span of spans) span.fail('not_acknowledged')
    throw error
  } finally {
    for (const span of spans) span.end()
  }
}
