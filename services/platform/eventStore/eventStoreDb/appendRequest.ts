import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js'
import type { EncodedEvent } from '../eventGuard.ts'
import type { ExpectedRevision } from '../port.ts'

export type AppendRequest = {
  /** Identifies one append of the adapter, whatever events are in it: another append of the same events has another id. */
  readonly appendId: string
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly EncodedEvent[]
  /** The server refuses the append after this moment, by its own clock. */
  readonly storableUntilMs: number
}

/** The metadata field of an event appended at an expected revision that names the request that stored it. */
const APPEND_ID = 'appendId'

export function requestMessage(request: AppendRequest): streamsPb.BatchAppendReq {
  const identifier = new sharedPb.StreamIdentifier()
  identifier.setStreamName(Buffer.from(request.stream).toString('base64'))
  const options = new streamsPb.BatchAppendReq.Options()
  options.setStreamIdentifier(identifier)
  setExpected(options, request.expected)
  options.setDeadline(timestamp(request.storableUntilMs))
  const message = new streamsPb.BatchAppendReq()
  message.setCorrelationId(uuid(request.appendId))
  message.setOptions(options)
  for (const event of request.events) message.addProposedMessages(proposed(event, request))
  message.setIsFinal(true)
  return message
}

/** The absolute deadline (deadline_21_10_0): a relative one would begin when a stopped server reads the message. */
function timestamp(ms: number): timestampPb.Timestamp {
  const time = new timestampPb.Timestamp()
  time.setSeconds(Math.floor(ms / 1_000))
  time.setNanos((ms % 1_000) * 1_000_000)
  return time
}

function setExpected(options: streamsPb.BatchAppendReq.Options, expected: ExpectedRevision): void {
  // The generated types ask for another class of the same empty message.
  const set = new sharedPb.Empty() as never
  if (expected === 'any') options.setAny(set)
  else if (expected === 'none') options.setNoStream(set)
  else options.setStreamPosition(String(expected))
}

function proposed(event: EncodedEvent, request: AppendRequest): streamsPb.BatchAppendReq.ProposedMessage {
  const message = new streamsPb.BatchAppendReq.ProposedMessage()
  message.setId(uuid(event.id))
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json')
  message.setData(Buffer.from(event.data))
  message.setCustomMetadata(Buffer.from(marked(event.metadata, request)))
  return message
}

/** With "any" the request that stored the events does not matter, and the ledger is spared the bytes. */
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

function uuid(text: string): sharedPb.UUID {
  const id = new sharedPb.UUID()
  id.setString(text)
  return id
}
