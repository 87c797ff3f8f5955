import { isDeepStrictEqual } from 'node:util'
import type { EventMetadata, JsonObject, NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'

/** An event as a backup holds it: as it was stored, in whatever version, and where and when that was. */
export type SavedEvent = {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: EventMetadata
  /** When the first store wrote it, however many restores ago. */
  readonly recordedAt: string
  /** In the store that was saved: another store has positions of its own. */
  readonly position: Position
}

/** A store cannot be told when an event was recorded, so a restored one carries that along. */
type RestoredMetadata = EventMetadata & { readonly recordedAt?: string }

export function savedEvent(event: RecordedEvent): SavedEvent {
  const { recordedAt = event.recordedAt, ...metadata } = event.metadata as RestoredMetadata
  const { stream, revision, id, type, data, position } = event
  return { stream, revision, id, type, data, metadata, recordedAt, position }
}

export function restoredEvent({ id, type, data, metadata, recordedAt }: SavedEvent): NewEvent {
  const restored: RestoredMetadata = { ...metadata, recordedAt }
  return { id, type, data, metadata: restored }
}

/** Whether a stored event is the saved one. Where it stands is for the caller to compare. */
export function isRestored(saved: SavedEvent, stored: RecordedEvent): boolean {
  const found = savedEvent(stored)
  return (
    found.id === saved.id &&
    found.type === saved.type &&
    found.recordedAt === saved.recordedAt &&
    isDeepStrictEqual(found.data, saved.data) &&
    isDeepStrictEqual(found.metadata, saved.metadata)
  )
}
