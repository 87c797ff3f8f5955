import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { Category } from '../../contracts/streams.ts'
import { isCategory, MESSAGE_HEADERS, type OutgoingMessage, type TopicMessage } from '../../contracts/topics.ts'

/** A message as it is stored in a topic. */
type StoredMessage = {
  readonly headers?: { readonly [name: string]: { toString(): string } | undefined } | undefined
  readonly value: { toString(): string } | null
}

export function requireCategory(category: string): Category {
  if (!isCategory(category)) throw new Error(`category ${category} has no topic: it is not one of CATEGORIES`)
  return category
}

/** The headers of a message that the relay publishes. */
export function headersOf({ position, previous, traceparent }: OutgoingMessage): Record<string, string> {
  const headers = { [MESSAGE_HEADERS.position]: position, [MESSAGE_HEADERS.previous]: previous }
  return traceparent === undefined ? headers : { ...headers, [MESSAGE_HEADERS.traceparent]: traceparent }
}

/** Messages of others can be ignored, because the messages of the relay name their predecessors. */
export function isOfRelay({ headers }: StoredMessage): boolean {
  return headers?.[MESSAGE_HEADERS.position] !== undefined && headers[MESSAGE_HEADERS.previous] !== undefined
}

/** Decodes the messages once, at the first iteration. A message that cannot be decoded fails every reader. */
export function decodedOnce(
  messages: readonly StoredMessage[],
  upcast: (event: RecordedEvent) => RecordedEvent,
): Iterable<TopicMessage> {
  let decoded: TopicMessage[] | null = null
  return {
    [Symbol.iterator]: () => {
      decoded ??= messages.map((message) => decode(message, upcast))
      return decoded[Symbol.iterator]()
    },
  }
}

function decode({ headers, value }: StoredMessage, upcast: (event: RecordedEvent) => RecordedEvent): TopicMessage {
  return {
    position: String(headers?.[MESSAGE_HEADERS.position]) as Position,
    previous: String(headers?.[MESSAGE_HEADERS.previous]) as Position,
    event:
      value && traced(upcast(JSON.parse(value.toString()) as RecordedEvent), headers?.[MESSAGE_HEADERS.traceparent]),
  }
}

/** For its consumers, the trace of an event continues from the message that delivered it. */
function traced(event: RecordedEvent, header: { toString(): string } | undefined): RecordedEvent {
  if (header === undefined) return event
  return { ...event, metadata: { ...event.metadata, traceparent: header.toString() } }
}
