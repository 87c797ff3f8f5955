import type { EventMetadata, JsonObject, RecordedEvent } from '../../../../contracts/envelope.ts'
import type { Position } from '../../../../contracts/position.ts'
import { isoTime } from '../../clock/clock.ts'
import { withoutMark } from './appendRequest.ts'
import { positionOf } from './commitPosition.ts'
import type { SentEvent } from './readMessage.ts'

export type StoredEvent = {
  readonly position: Position
  readonly revision: number
  /** Null for system events, in streams whose names begin with $: they are never shown, but their positions count. */
  readonly recorded: RecordedEvent | null
  /** The request that stored it, if it was recorded. */
  readonly appendId: string | null
  /** The size in which it was sent. */
  readonly bytes: number
}

export function storedEvent(event: SentEvent, bytes: number): StoredEvent {
  if (event.commit === null)
    throw new Error('the event store returns events without positions: EventStoreDB 22.6 or newer is required')
  const { stream, revision } = event
  const position = positionOf(event.commit)
  if (stream.startsWith('$')) return { position, revision, recorded: null, appendId: null, bytes }
  const { metadata, appendId } = withoutMark(JSON.parse(event.metadata.toString()) as EventMetadata)
  const recorded: RecordedEvent = {
    id: event.id,
    stream,
    revision,
    position,
    type: event.type,
    data: JSON.parse(event.data.toString()) as JsonObject,
    metadata,
    recordedAt: isoTime(event.createdMs),
  }
  return { position, revision, recorded, appendId, bytes }
}
