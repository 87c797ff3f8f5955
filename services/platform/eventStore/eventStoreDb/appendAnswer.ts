import sharedPb from '@eventstore/db-client/generated/shared_pb.js'
import type streamsPb from '@eventstore/db-client/generated/streams_pb.js'
import type { Position } from '../../../../contracts/position.ts'
import { AppendOutcomeUnknown, EventRefused, StoreUnavailable, WrongExpectedRevision } from '../port.ts'
import type { AppendRequest } from './appendRequest.ts'
import { positionOf } from './position.ts'

/** Where the last event stands. The server leaves the position out of a repetition that it has not indexed yet. */
export type StoredAt = { readonly revision: number; readonly position: Position | null }

/** Throws what the port says of an append that was not stored, or of which that cannot be told. */
export function readAnswer(request: AppendRequest, response: streamsPb.BatchAppendResp): StoredAt {
  const success = response.getSuccess()
  if (!success) throw failureOf(request, response.getError())
  const position = success.getPosition()
  return {
    revision: Number(success.getCurrentRevision()),
    position: position ? positionOf(BigInt(position.getCommitPosition())) : null,
  }
}

function failureOf(request: AppendRequest, error: ReturnType<streamsPb.BatchAppendResp['getError']>): Error {
  const { stream } = request
  const details = error?.getDetails()
  const type = details?.getTypeName() ?? ''
  switch (type) {
    case 'event_store.client.WrongExpectedVersion':
      return conflict(request, details?.unpack(sharedPb.WrongExpectedVersion.deserializeBinary, type) ?? null)
    case 'event_store.client.MaximumAppendSizeExceeded':
      return new EventRefused(`the append to ${stream} is larger than the event store takes at once`)
    case 'event_store.client.StreamDeleted':
    case 'event_store.client.BadRequest':
      return new EventRefused(`the event store refused the append to ${stream}: ${error?.getMessage() || type}`)
    case 'event_store.client.AccessDenied':
      return new StoreUnavailable(`the event store lets this user not append to ${stream}`)
    case 'google.protobuf.Empty':
    case 'event_store.client.Empty':
      // The server did not take the request on: it is starting, too busy, or looks for its leader.
      return new StoreUnavailable(`the event store does not take appends now: ${error?.getMessage()}`)
    default:
      return new AppendOutcomeUnknown(stream, new Error(error?.getMessage() || type || 'an answer without a result'))
  }
}

function conflict(request: AppendRequest, wrong: sharedPb.WrongExpectedVersion | null): Error {
  const { stream, expected } = request
  if (expected === 'any')
    return new EventRefused(`some of the event ids are stored in ${stream} already, others are not`)
  return new WrongExpectedRevision(
    stream,
    expected,
    wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : null,
  )
}
