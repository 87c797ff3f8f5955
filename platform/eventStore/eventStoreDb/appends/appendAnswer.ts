import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { Position } from '../../../../contracts/position.ts'
import { AppendOutcomeUnknown, EventRefused, StoreUnavailable, WrongExpectedRevision } from '../../port.ts'
import { positionOf } from '../commitPosition.ts'
import { numberIn, ProtobufFields, textIn } from '../connection/protobufFields.ts'
import type { AppendRequest } from './appendRequest.ts'

/** Where the last event was stored. The server omits the position for a repeated append that it has not indexed yet. */
export type StoredAt = { readonly revision: number; readonly position: Position | null }

/**
 * The server gave up on an append without knowing its outcome, or picked it up after its deadline. It also drops a
 * repetition whose first append is not indexed yet, and then answers with this after its own time-out of 2 s.
 */
export class AnsweredTimeout extends AppendOutcomeUnknown {}

type AnsweredRequest = Pick<AppendRequest, 'stream' | 'expected'>

/** What the server sends about one append. */
export type AppendAnswer = {
  readonly appendId: string
  readonly stored: StoredAt | null
  /** The whole message, for the details of a failure. */
  readonly bytes: Buffer
}

/** Decodes event_store.client.streams.BatchAppendResp, as far as a successful append needs it. */
export function appendAnswer(bytes: Buffer): AppendAnswer {
  let appendId = ''
  let stored: StoredAt | null = null
  const fields = new ProtobufFields(bytes)
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) appendId = textIn(fields.message(), 2)
    else if (field === 3) stored = storedAt(fields.message())
    else fields.skip()
  }
  return { appendId, stored, bytes }
}

/** BatchAppendResp.Success. */
function storedAt(fields: ProtobufFields): StoredAt {
  let revision = 0
  let position: Position | null = null
  for (let field = fields.next(); field !== 0; field = fields.next()) {
    if (field === 1) revision = fields.number()
    else if (field === 3) position = positionOf(numberIn(fields.message(), 1))
    else fields.skip()
  }
  return { revision, position }
}

/** Throws the error of the port for an append that was not stored or whose outcome is unknown. */
export function readAnswer(request: AnsweredRequest, { stored, bytes }: AppendAnswer): StoredAt {
  if (!stored) throw failureOf(request, streamsPb.BatchAppendResp.deserializeBinary(bytes).getError())
  return stored
}

function failureOf(request: AnsweredRequest, error: ReturnType<streamsPb.BatchAppendResp['getError']>): Error {
  const { stream } = request
  const details = error?.getDetails()
  const type = details?.getTypeName() ?? ''
  switch (type) {
    case 'event_store.client.WrongExpectedVersion':
      return conflict(request, details?.unpack(sharedPb.WrongExpectedVersion.deserializeBinary, type) ?? null)
    case 'event_store.client.MaximumAppendSizeExceeded':
      return new EventRefused(`the append to ${stream} exceeds the size limit of the event store`)
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.BadRequest':
      return new EventRefused(`the event store refused the append to ${stream}: ${error?.getMessage() || type}`)
    case 'event_store.client.AccessDenied':
      return new StoreUnavailable(`the user of EVENTSTORE_URL is not allowed to append to ${stream}`)
    case 'event_store.client.Timeout':
      return new AnsweredTimeout(stream, new Error('the event store answered that the append timed out'))
    case 'google.protobuf.Empty':
    case 'event_store.client.Empty':
      // The server did not accept the request: it is starting, too busy, or electing a leader.
      return new StoreUnavailable(`the event store does not accept appends at the moment: ${error?.getMessage()}`)
    default:
      return new AppendOutcomeUnknown(stream, new Error(error?.getMessage() || type || 'the response has no result'))
  }
}

function conflict(request: AnsweredRequest, wrong: sharedPb.WrongExpectedVersion | null): Error {
  const { stream, expected } = request
  if (expected === 'any')
    return new EventRefused(`some of the event ids are already stored in ${stream}, others are not`)
  return new WrongExpectedRevision(
    stream,
    expected,
    wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : null,
  )
}
