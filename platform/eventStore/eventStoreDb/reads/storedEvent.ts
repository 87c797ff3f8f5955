import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import type { Position } from '../../../../contracts/position.ts'
import { isoTime } from '../../../clock/clock.ts'
import type { ForeignEvent } from '../../port.ts'
import { withoutMark } from '../appends/appendRequest.ts'
import type { SentEvents } from '../appends/sentEvents.ts'
import { positionOf } from '../commitPosition.ts'
import { type ForeignEvents, ownEvent } from './foreignEvents.ts'
import type { OwnStreams } from './ownStreams.ts'
import type { SentEvent } from './readMessage.ts'

export type StoredEvent = {
  readonly position: Position
  readonly revision: number
  /** Null for foreign events, which are never shown, whatever stream they are in. */
  readonly recorded: RecordedEvent | null
  /** A foreign event in a stream of ours. */
  readonly foreign: ForeignEvent | null
  /** The request that stored it, if it was recorded. */
  readonly appendId: string | null
  /** The size in which it was sent. */
  readonly bytes: number
}

export type StoredPage = {
  readonly events: readonly StoredEvent[]
  /** The position that a reader reaches with this page. */
  readonly position: Position
  /** A limit ended the page, so there may be more. */
  readonly isFull: boolean
}

/** Reads events as the server sends them, and separates ours from those of others. */
export class StoredEvents {
  readonly streams: OwnStreams
  readonly #foreign: ForeignEvents
  readonly #sent: SentEvents | undefined

  constructor(streams: OwnStreams, foreign: ForeignEvents, sent?: SentEvents) {
    this.streams = streams
    this.#foreign = foreign
    this.#sent = sent
  }

  read(event: SentEvent, bytes: number): StoredEvent {
    const { id, type, revision, isJson } = event
    const position = positionOfSent(event)
    const stream = this.streams.ownName(event.stream)
    const stored = { position, revision, recorded: null, foreign: null, appendId: null, bytes }
    if (stream === null) return stored
    const place = { id, stream, revision, position, type, recordedAt: isoTime(event.createdMs) }
    const sent = isJson ? this.#sent?.find(id, type, event.data, event.metadata) : null
    if (sent) {
      const recorded = { ...place, data: sent.data, metadata: sent.metadata }
      return { position, revision, recorded, foreign: null, appendId: null, bytes }
    }
    const own = ownEvent({ type, isJson, data: parsed(event.data), metadata: parsed(event.metadata) })
    if (own === null) {
      this.#foreign.passOver(place)
      return { ...stored, foreign: place }
    }
    const { metadata, appendId } = withoutMark(own.metadata)
    return { position, revision, recorded: { ...place, data: own.data, metadata }, foreign: null, appendId, bytes }
  }
}

export function positionOfSent({ commit }: SentEvent): Position {
  if (commit === null) {
    throw new Error('the event store returns events without positions: EventStoreDB 22.6 or newer is required')
  }
  return positionOf(commit)
}

/** Undefined if the bytes are not valid JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
