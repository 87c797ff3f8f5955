import type { ResolvedEvent } from '@eventstore/db-client'
import type { EventMetadata, JsonObject, RecordedEvent } from '../../../../contracts/envelope.ts'
import type { Position } from '../../../../contracts/position.ts'
import { isoTime } from '../../clock/clock.ts'
import { withoutMark } from './appendRequest.ts'
import { positionOf } from './commitPosition.ts'

export type StoredEvent = {
  readonly position: Position
  readonly revision: number
  /** Null for system events, in streams whose names begin with $: they are never shown, but their positions count. */
  readonly recorded: RecordedEvent | null
  /** The request that stored it, if it was recorded. */
  readonly appendId: string | null
}

export function storedEvent({ event }: ResolvedEvent): StoredEvent {
  if (!event?.position)
    throw new Error('the event store returns events without positions: EventStoreDB 22.6 or newer is required')
  const position = positionOf(event.position.commit)
  const revision = Number(event.revision)
  if (event.streamId.startsWith('$')) return { position, revision, recorded: null, appendId: null }
  const { metadata, appendId } = withoutMark(event.metadata as unknown as EventMetadata)
  const recorded: RecordedEvent = {
    id: event.id,
    stream: event.streamId,
    revision,
    position,
    type: event.type,
    data: event.data as unknown as JsonObject,
    metadata,
    recordedAt: isoTime(event.created.getTime()),
  }
  return { position, revision, recorded, appendId }
}
