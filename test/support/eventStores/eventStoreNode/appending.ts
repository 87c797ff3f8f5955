import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import statusPb from '@eventstore/db-client/generated/status_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type ServerDuplexStream, type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js'
import anyPb from 'google-protobuf/google/protobuf/any_pb.js'
import { ANY, NO_STREAM, STREAM_EXISTS } from './commitCheck.ts'
import type { LoggedEvent, ProposedEvent } from './eventLog.ts'
import { appended, proposedEvent, streamIdentifier, streamNameOf } from './messages.ts'

type BatchRequest = streamsPb.BatchAppendReq
type BatchResponse = streamsPb.BatchAppendResp

export type AppendOutcome =
  | { readonly kind: 'stored'; readonly last: LoggedEvent }
  | { readonly kind: 'wrongRevision'; readonly current: number }
  | { readonly kind: 'late' }

export type Append = {
  readonly stream: string
  readonly expected: number
  readonly events: ProposedEvent[]
  readonly deadlineMs: number
}

export type AppendingNode = {
  readonly appendBytesMax: number
  /** Sends the answer, or drops it. */
  append(append: Append, answer: (outcome: AppendOutcome) => void): void
}

/** Data/Event.cs, SizeOnDisk: by the precedence of its operators it counts the data alone. */
const sizeOf = (events: readonly ProposedEvent[]) => events.reduce((bytes, { data }) => bytes + data.length, 0)

/**
 * Many appends over one call, each answered under its correlation id (Services/Transport/Grpc/Streams.BatchAppend.cs).
 * An append may come in several messages; the one with options opens it, the one that says so ends it.
 */
export function batchAppend(node: AppendingNode, call: ServerDuplexStream<BatchRequest, BatchResponse>): void {
  const pending = new Map<string, Append>()
  call.on('error', () => {})
  call.on('end', () => call.end())
  call.on('data', (request: BatchRequest) => {
    const correlationId = request.getCorrelationId()?.getString() ?? ''
    const options = request.getOptions()
    if (options && !pending.has(correlationId)) {
      const stream = streamNameOf(options.getStreamIdentifier())
      const deadlineMs = options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY
      pending.set(correlationId, { stream, expected: expectedOfBatch(options), events: [], deadlineMs })
    }
    const append = pending.get(correlationId)
    if (!append) return
    append.events.push(...request.getProposedMessagesList().map(proposedEvent))
    const answer = (response: BatchResponse) => {
      response.setCorrelationId(request.getCorrelationId())
      response.setStreamIdentifier(streamIdentifier(append.stream))
      if (!call.destroyed && !call.cancelled) call.write(response)
    }
    if (sizeOf(append.events) > node.appendBytesMax) {
      pending.delete(correlationId)
      answer(tooLarge(node.appendBytesMax))
      return
    }
    if (!request.getIsFinal()) return
    pending.delete(correlationId)
    node.append(append, (outcome) => {
      answer(responseTo(outcome))
    })
  })
}

function responseTo(outcome: AppendOutcome): BatchResponse {
  if (outcome.kind === 'stored') return appended(outcome.last)
  if (outcome.kind === 'wrongRevision') return wrongRevision(outcome.current)
  return failure(status.DEADLINE_EXCEEDED, 'Timeout', 'Timeout', new sharedPb.Empty())
}

function expectedOfBatch(options: streamsPb.BatchAppendReq.Options): number {
  if (options.hasAny()) return ANY
  if (options.hasNoStream()) return NO_STREAM
  if (options.hasStreamExists()) return STREAM_EXISTS
  return Number(options.getStreamPosition())
}

function failure(code: number, message: string, type: string, details: { serializeBinary(): Uint8Array }) {
  const packed = new anyPb.Any()
  packed.pack(details.serializeBinary(), `event_store.client.${type}`)
  const error = new statusPb.Status()
  error.setCode(code)
  error.setMessage(message)
  error.setDetails(packed)
  const response = new streamsPb.BatchAppendResp()
  response.setError(error)
  return response
}

function wrongRevision(current: number): BatchResponse {
  const details = new sharedPb.WrongExpectedVersion()
  if (current < 0) details.setCurrentNoStream(new sharedPb.Empty() as never)
  else details.setCurrentStreamRevision(String(current))
  return failure(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'WrongExpectedVersion', details)
}

function tooLarge(bytesMax: number): BatchResponse {
  const details = new sharedPb.MaximumAppendSizeExceeded()
  details.setMaxappendsize(bytesMax)
  return failure(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', 'MaximumAppendSizeExceeded', details)
}

type AppendCall = ServerReadableStream<streamsPb.AppendReq, streamsPb.AppendResp>

/** One append over one call (Services/Transport/Grpc/Streams.Append.cs). */
export function append(node: AppendingNode, call: AppendCall, answer: sendUnaryData<streamsPb.AppendResp>): void {
  let stream = ''
  let expected = ANY
  const events: ProposedEvent[] = []
  call.on('error', () => {})
  call.on('data', (request: streamsPb.AppendReq) => {
    const options = request.getOptions()
    const message = request.getProposedMessage()
    if (options) {
      stream = streamNameOf(options.getStreamIdentifier())
      expected = expectedOf(options)
    }
    if (message) events.push(proposedEvent(message))
  })
  call.on('end', () => {
    if (sizeOf(events) > node.appendBytesMax) {
      answer({
        code: status.INVALID_ARGUMENT,
        details: 'Maximum Append Size Exceeded',
        metadata: tooLargeMetadata(node),
      })
      return
    }
    const deadlineMs = Number.POSITIVE_INFINITY
    node.append({ stream, expected, events, deadlineMs }, (outcome) => answer(null, appendResponse(outcome)))
  })
}

function expectedOf(options: streamsPb.AppendReq.Options): number {
  if (options.hasAny()) return ANY
  if (options.hasNoStream()) return NO_STREAM
  if (options.hasStreamExists()) return STREAM_EXISTS
  return Number(options.getRevision())
}

function tooLargeMetadata({ appendBytesMax }: AppendingNode): Metadata {
  const metadata = new Metadata()
  metadata.set('exception', 'maximum-append-size-exceeded')
  metadata.set('maximum-append-size', String(appendBytesMax))
  return metadata
}

function appendResponse(outcome: AppendOutcome): streamsPb.AppendResp {
  const response = new streamsPb.AppendResp()
  if (outcome.kind === 'stored') {
    const position = new streamsPb.AppendResp.Position()
    position.setCommitPosition(String(outcome.last.position))
    position.setPreparePosition(String(outcome.last.position))
    const success = new streamsPb.AppendResp.Success()
    success.setCurrentRevision(String(outcome.last.revision))
    success.setPosition(position)
    response.setSuccess(success)
  } else if (outcome.kind === 'wrongRevision') {
    const wrong = new streamsPb.AppendResp.WrongExpectedVersion()
    if (outcome.current < 0) wrong.setCurrentNoStream(new sharedPb.Empty())
    else wrong.setCurrentRevision(String(outcome.current))
    response.setWrongExpectedVersion(wrong)
  }
  return response
}
