import { isDeepStrictEqual } from 'node:util'
import type { EventMetadata, JsonObject, NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'

/** An event as a backup contains it: unchanged, in the stored version, with its place and time. */
export type SavedEvent = {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  /** The text of `data`, if the event was read from a file. */
  readonly dataText?: string
  /** For a previously restored ledger event: its index in the transparency log. */
  readonly metadata: EventMetadata
  /** When the original store recorded it, before any restore. */
  readonly recordedAt: string
  /** The position in the saved store; another store has different positions. */
  readonly position: Position
}

export function savedEvent(event: RecordedEvent): SavedEvent {
  // The trace is long gone when a backup is restored.
  const { recordedAt = event.recordedAt, traceparent: _traceparent, ...metadata } = event.metadata
  const { stream, revision, id, type, data, position } = event
  return { stream, revision, id, type, data, metadata, recordedAt, position }
}

/** A store sets the recording time itself, so a restored event carries the original time in its metadata. */
export function restoredEvent({ id, type, data, metadata, recordedAt }: SavedEvent): NewEvent {
  return { id, type, data, metadata: { ...metadata, recordedAt } }
}

/** Whether a stored event equals the saved one. The caller compares their places. */
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
