import type { EventMetadata, JsonObject, RecordedEvent } from '../../../../contracts/envelope.ts'
import { positionOf } from './position.ts'

export type EventRow = {
  position: string
  stream: string
  revision: string
  event_id: string
  type: string
  data: JsonObject
  metadata: EventMetadata
  recorded_at: string
}

export const EVENT_COLUMNS = 'position, stream, revision, event_id, type, data, metadata, recorded_at'

export function recordedEvent(row: EventRow): RecordedEvent {
  return {
    id: row.event_id,
    stream: row.stream,
    revision: Number(row.revision),
    position: positionOf(Number(row.position)),
    type: row.type,
    data: row.data,
    metadata: row.metadata,
    recordedAt: row.recorded_at,
  }
}
