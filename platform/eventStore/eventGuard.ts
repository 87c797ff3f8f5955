import type { NewEvent } from '../../contracts/envelope.ts'
import { isUuid } from '../../contracts/uuid.ts'
import { EventRefused } from './port.ts'

export const EVENT_DATA_BYTES_MAX = 512 * 1024
export const EVENT_METADATA_BYTES_MAX = 16 * 1024
export const EVENTS_PER_APPEND_MAX = 100
const STREAM_NAME_CHARS_MAX = 255
/** The limit of EventStoreDB for one append. */
export const APPEND_BYTES_MAX = 1024 * 1024

/** An event that was checked, with its data and metadata as JSON text. */
export type EncodedEvent = {
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
  readonly bytes: number
  readonly source: NewEvent
}

const TYPE = /^[A-Z][A-Za-z0-9]{0,99}$/
const STREAM = /^[a-z][A-Za-z0-9]*-[^\p{C}]+$/u
/** A fast path: most names match this, and matching the Unicode classes costs more than the rest of the check. */
const PLAIN_STREAM = /^[a-z][A-Za-z0-9]*-[\w-]+$/
/** JSON.stringify escapes NUL and lone surrogates. After an odd number of backslashes the `\\u` is plain text. */
const ESCAPED_NUL_OR_SURROGATE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * Refuses events that one engine would store and another would not, so that all adapters refuse the same events.
 * Postgres cannot store a NUL in text, and EventStoreDB limits an append to 1 MiB.
 */
export function encodeAppend(stream: string, events: readonly NewEvent[]): EncodedEvent[] {
  requireStreamName(stream)
  if (events.length === 0 || events.length > EVENTS_PER_APPEND_MAX) {
    throw new EventRefused(`an append has 1 to ${EVENTS_PER_APPEND_MAX} events, not ${events.length}`)
  }
  const encoded = events.map(encodeEvent)
  if (events.length > 1 && new Set(events.map((event) => event.id)).size !== events.length) {
    throw new EventRefused(`an event id occurs twice in one append to ${stream}`)
  }
  requireSize(stream, encoded)
  return encoded
}

/**
 * Refuses whatever `encodeAppend` refuses of a single event, without encoding it. `dataText` is the JSON of its data,
 * if known; a short text without such escapes is always accepted.
 */
export function requireStorable(stream: string, event: NewEvent, dataText?: string): void {
  const isHarmless = dataText !== undefined && dataText.length * 3 <= EVENT_DATA_BYTES_MAX && !dataText.includes('\\u')
  if (!isHarmless) return void encodeAppend(stream, [event])
  requireStreamName(stream)
  requireIdAndType(event)
  encodeJson(event.metadata, `metadata of ${event.type}`, EVENT_METADATA_BYTES_MAX)
}

function requireStreamName(stream: string): void {
  if (!(PLAIN_STREAM.test(stream) || STREAM.test(stream)) || stream.length > STREAM_NAME_CHARS_MAX) {
    throw new EventRefused(`stream name ${JSON.stringify(stream.slice(0, 100))} does not have the form category-id`)
  }
}

function requireSize(stream: string, events: readonly EncodedEvent[]): void {
  let chars = 0
  for (const { data } of events) chars += data.length
  // As in encodeJson, bytes are counted only if the number of characters leaves it open.
  if (chars * 3 <= APPEND_BYTES_MAX) return
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0)
  if (bytes > APPEND_BYTES_MAX) {
    throw new EventRefused(`the append to ${stream} has ${bytes} bytes of data, over ${APPEND_BYTES_MAX}`)
  }
}

function requireIdAndType({ id, type }: NewEvent): void {
  if (!isUuid(id)) throw new EventRefused(`event id ${id} is not a lowercase UUID`)
  if (!TYPE.test(type)) throw new EventRefused(`event type ${type} is not a PascalCase name`)
}

function encodeEvent(event: NewEvent): EncodedEvent {
  requireIdAndType(event)
  const data = encodeJson(event.data, `data of ${event.type}`, EVENT_DATA_BYTES_MAX)
  const metadata = encodeJson(event.metadata, `metadata of ${event.type}`, EVENT_METADATA_BYTES_MAX)
  return { id: event.id, type: event.type, data, metadata, bytes: data.length + metadata.length, source: event }
}

function encodeJson(value: unknown, what: string, bytesMax: number): string {
  const text = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || text === undefined) {
    throw new EventRefused(`${what} is not a JSON object`)
  }
  // A string of n characters has n to 3n bytes in UTF-8, so bytes are counted only if that range contains the limit.
  if (text.length > bytesMax || (text.length * 3 > bytesMax && Buffer.byteLength(text) > bytesMax)) {
    throw new EventRefused(`${what} is larger than ${bytesMax} bytes`)
  }
  if (text.includes('\\u') && ESCAPED_NUL_OR_SURROGATE.test(text)) {
    throw new EventRefused(`${what} contains a NUL or a lone surrogate, which not every event store can keep`)
  }
  return text
}
