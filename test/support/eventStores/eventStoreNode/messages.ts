import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { LoggedEvent, ProposedEvent } from './eventLog.ts'

const { ReadResp, BatchAppendResp } = streamsPb
const TICKS_PER_MS = 10_000

/** Resolves when the reader is ready for more. */
export type Send = (message: streamsPb.ReadResp) => Promise<void>

export function streamNameOf(identifier: sharedPb.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')
}

export function streamIdentifier(name: string): sharedPb.StreamIdentifier {
  const identifier = new sharedPb.StreamIdentifier()
  identifier.setStreamName(Buffer.from(name).toString('base64'))
  return identifier
}

type Proposed = streamsPb.BatchAppendReq.ProposedMessage | streamsPb.AppendReq.ProposedMessage

export function proposedEvent(message: Proposed): ProposedEvent {
  const metadata = message.getMetadataMap()
  return {
    id: message.getId()?.getString().toLowerCase() ?? '',
    type: metadata.get('type') ?? '',
    isJson: metadata.get('content-type') === 'application/json',
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  }
}

/** Services/Transport/Grpc/Streams.Read.cs, ConvertToReadEvent and ConvertToRecordedEvent. */
export function eventMessage(event: LoggedEvent): streamsPb.ReadResp {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
  const id = new sharedPb.UUID()
  id.setString(event.id)
  recorded.setId(id)
  recorded.setStreamIdentifier(streamIdentifier(event.stream))
  recorded.setStreamRevision(String(event.revision))
  recorded.setCommitPosition(String(event.position))
  recorded.setPreparePosition(String(event.position))
  const metadata = recorded.getMetadataMap()
  metadata.set('type', event.type)
  metadata.set('created', String(event.createdMs * TICKS_PER_MS))
  metadata.set('content-type', event.isJson ? 'application/json' : 'application/octet-stream')
  recorded.setData(event.data)
  recorded.setCustomMetadata(event.metadata)
  const read = new ReadResp.ReadEvent()
  read.setEvent(recorded)
  read.setCommitPosition(String(event.position))
  const response = new ReadResp()
  response.setEvent(read)
  return response
}

export function streamNotFound(stream: string): streamsPb.ReadResp {
  const notFound = new ReadResp.StreamNotFound()
  notFound.setStreamIdentifier(streamIdentifier(stream))
  const response = new ReadResp()
  response.setStreamNotFound(notFound)
  return response
}

export function confirmation(subscriptionId: string): streamsPb.ReadResp {
  const confirmed = new ReadResp.SubscriptionConfirmation()
  confirmed.setSubscriptionId(subscriptionId)
  const response = new ReadResp()
  response.setConfirmation(confirmed)
  return response
}

export function caughtUp(): streamsPb.ReadResp {
  const response = new ReadResp()
  response.setCaughtUp(new ReadResp.CaughtUp())
  return response
}

export function checkpointMessage({ commit, prepare }: { commit: bigint; prepare: bigint }): streamsPb.ReadResp {
  const checkpoint = new ReadResp.Checkpoint()
  checkpoint.setCommitPosition(String(commit))
  checkpoint.setPreparePosition(String(prepare))
  const response = new ReadResp()
  response.setCheckpoint(checkpoint)
  return response
}

/** Services/Transport/Grpc/BatchAppendResp.cs, Success.Completed. */
export function appended(last: LoggedEvent): streamsPb.BatchAppendResp {
  const position = new sharedPb.AllStreamPosition()
  position.setCommitPosition(String(last.position))
  position.setPreparePosition(String(last.position))
  const success = new BatchAppendResp.Success()
  success.setCurrentRevision(String(last.revision))
  success.setPosition(position)
  const response = new BatchAppendResp()
  response.setSuccess(success)
  return response
}
