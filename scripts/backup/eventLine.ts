import type { EventMetadata, JsonObject } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import type { SavedEvent } from './savedEvent.ts'

const START = /^\{"stream":"([^"\\]+)","revision":(\d{1,15}),"id":"([^"\\]+)","type":"([^"\\]+)","data":(?=\{)/
const METADATA = ',"metadata":'
const RECORDED_AT = ',"recordedAt":"'
const END = /^,"recordedAt":"([^"\\]+)","position":"([^"\\]+)"\}$/

/**
 * An event of a file, whose data is parsed only if needed: it is most of a line, and a store can take it as text. In a
 * checked file it is JSON.
 */
export class EventLine implements SavedEvent {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly dataText: string
  readonly metadata: EventMetadata
  readonly recordedAt: string
  readonly position: Position

  constructor(event: Omit<SavedEvent, 'data'> & { readonly dataText: string }) {
    this.stream = event.stream
    this.revision = event.revision
    this.id = event.id
    this.type = event.type
    this.dataText = event.dataText
    this.metadata = event.metadata
    this.recordedAt = event.recordedAt
    this.position = event.position
  }

  get data(): JsonObject {
    return JSON.parse(this.dataText) as JsonObject
  }
}

/**
 * Splits a line in the form in which backups are written. Returns null for any other, whose fields may be in another
 * order. Quotes within strings are escaped, so the searched field names can only be those of fields; if one belongs to
 * a field within the metadata, what follows it is not JSON.
 */
export function eventOfLine(text: string): EventLine | null {
  const start = START.exec(text)
  if (!start) return null
  const [all, stream = '', revision, id = '', type = ''] = start
  const metadataAt = text.lastIndexOf(METADATA)
  const recordedAtAt = text.lastIndexOf(RECORDED_AT)
  if (metadataAt < all.length || recordedAtAt < metadataAt) return null
  const end = END.exec(text.slice(recordedAtAt))
  const metadata = end && objectOf(text.slice(metadataAt + METADATA.length, recordedAtAt))
  if (!metadata) return null
  return new EventLine({
    stream,
    revision: Number(revision),
    id,
    type,
    dataText: text.slice(all.length, metadataAt),
    metadata: metadata as EventMetadata,
    recordedAt: end[1] ?? '',
    position: end[2] as Position,
  })
}

/** The event with different metadata. */
export function withMetadata(event: SavedEvent, metadata: EventMetadata): SavedEvent {
  const { dataText } = event
  return dataText === undefined ? { ...event, metadata } : new EventLine({ ...event, dataText, metadata })
}

function objectOf(text: string): object | null {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}
