import type { EncodedEvent } from '../../eventGuard.ts'
import type { ExpectedRevision } from '../../port.ts'
import { ProtobufWriter, sizeOfField, sizeOfNumber } from '../connection/protobufWriter.ts'
import type { SentEvents } from './sentEvents.ts'

export type AppendRequest = {
  /** Identifies one append request: another append of the same events has another id. */
  readonly appendId: string
  readonly stream: string
  /** The name that the stream has on the server. */
  readonly nameOnServer: string
  readonly expected: ExpectedRevision
  readonly events: readonly EncodedEvent[]
  /** The server refuses the append after this moment, by its own clock. */
  readonly storableUntilMs: number
}

/** The metadata field that names the request which stored an event at an expected revision. */
const APPEND_ID = 'appendId'
const TYPE = 'type'

const CONTENT_TYPE = mapEntry('content-type', 'application/json')

/**
 * Encodes event_store.client.streams.BatchAppendReq. The generated classes would copy the data three times and take
 * longer than the rest of an append. Events without a mark are remembered as sent.
 */
export function requestMessage(request: AppendRequest, sent?: SentEvents): Buffer {
  const { appendId, nameOnServer, expected, events, storableUntilMs } = request
  const nameSize = Buffer.byteLength(nameOnServer)
  const seconds = Math.floor(storableUntilMs / 1_000)
  const nanos = (storableUntilMs % 1_000) * 1_000_000
  const deadlineSize = sizeOfNumber(seconds) + sizeOfNumber(nanos)
  const optionsSize =
    sizeOfField(sizeOfField(nameSize)) +
    (typeof expected === 'number' ? sizeOfNumber(expected) : sizeOfField(0)) +
    sizeOfField(deadlineSize)
  const proposed = events.map((event) => proposedMessage(event, request))
  let size = sizeOfField(sizeOfField(appendId.length)) + sizeOfField(optionsSize) + sizeOfNumber(1)
  for (const message of proposed) size += sizeOfField(message.size)

  const writer = new ProtobufWriter(size)
  writer.begin(1, sizeOfField(appendId.length))
  writer.text(2, appendId, appendId.length)
  writer.begin(2, optionsSize)
  writer.begin(1, sizeOfField(nameSize))
  writer.text(3, nameOnServer, nameSize)
  if (expected === 'any') writer.begin(4, 0)
  else if (expected === 'none') writer.begin(3, 0)
  else writer.number(2, expected)
  // The absolute deadline (deadline_21_10_0): a relative one would only start when a stopped server reads the message.
  writer.begin(6, deadlineSize)
  writer.number(1, seconds)
  writer.number(2, nanos)
  for (const message of proposed) {
    writeProposed(writer, message)
    if (expected === 'any') sent?.add(message.event.source, writer.last(message.dataSize), metadataIn(writer, message))
  }
  writer.number(4, 1)
  return writer.end()
}

type ProposedMessage = {
  readonly event: EncodedEvent
  readonly metadata: string
  readonly metadataSize: number
  readonly dataSize: number
  readonly typeEntrySize: number
  readonly size: number
}

function proposedMessage(event: EncodedEvent, request: AppendRequest): ProposedMessage {
  const metadata = marked(event.metadata, request)
  const metadataSize = Buffer.byteLength(metadata)
  const dataSize = Buffer.byteLength(event.data)
  const typeEntrySize = sizeOfField(TYPE.length) + sizeOfField(event.type.length)
  const size =
    sizeOfField(sizeOfField(event.id.length)) +
    sizeOfField(typeEntrySize) +
    sizeOfField(CONTENT_TYPE.length) +
    sizeOfField(metadataSize) +
    sizeOfField(dataSize)
  return { event, metadata, metadataSize, dataSize, typeEntrySize, size }
}

function writeProposed(writer: ProtobufWriter, message: ProposedMessage): void {
  const { id, type, data } = message.event
  writer.begin(3, message.size)
  writer.begin(1, sizeOfField(id.length))
  writer.text(2, id, id.length)
  writer.begin(2, message.typeEntrySize)
  writer.text(1, TYPE, TYPE.length)
  writer.text(2, type, type.length)
  writer.bytes(2, CONTENT_TYPE)
  writer.text(3, message.metadata, message.metadataSize)
  writer.text(4, data, message.dataSize)
}

/** The metadata stands before the data, which was written last. */
function metadataIn(writer: ProtobufWriter, { metadataSize, dataSize }: ProposedMessage): Buffer {
  return writer.last(metadataSize, sizeOfField(dataSize))
}

/** An entry of map<string, string>. */
function mapEntry(key: string, value: string): Buffer {
  const writer = new ProtobufWriter(sizeOfField(key.length) + sizeOfField(value.length))
  writer.text(1, key, key.length)
  writer.text(2, value, value.length)
  return writer.end()
}

/** With "any" it does not matter which request stored the events, so the ledger is spared the bytes. */
function marked(metadata: string, { expected, appendId }: AppendRequest): string {
  return expected === 'any' ? metadata : `${metadata.slice(0, -1)},"${APPEND_ID}":"${appendId}"}`
}

/** Removes the append id, so that readers get the metadata as it was given. */
export function withoutMark<Metadata extends object>(
  metadata: Metadata,
): { metadata: Metadata; appendId: string | null } {
  if (!(APPEND_ID in metadata)) return { metadata, appendId: null }
  const { [APPEND_ID]: appendId, ...given } = metadata as Metadata & { [APPEND_ID]: unknown }
  return { metadata: given as unknown as Metadata, appendId: String(appendId) }
}
