import type { EventMetadata, JsonObject } from '../../../../contracts/envelope.ts'
import type { Position } from '../../../../contracts/position.ts'
import type { Log } from '../../../logger/logger.ts'
import type { ForeignEvent } from '../../port.ts'

/** How many foreign events are reported only once; beyond that the oldest may be reported again. */
const FOREIGN_EVENTS_REMEMBERED_MAX = 10_000

const TYPE = /^[A-Z][A-Za-z0-9]{0,99}$/

/** An event in a stream, before it is known whether Tollgate wrote it. */
export type WrittenEvent = {
  readonly type: string
  readonly isJson: boolean
  readonly data: unknown
  readonly metadata: unknown
}

export type OwnEvent = { readonly data: JsonObject; readonly metadata: EventMetadata }

/** Null for an event that Tollgate did not write: binary, a link, without metadata, or with other metadata. */
export function ownEvent({ type, isJson, data, metadata }: WrittenEvent): OwnEvent | null {
  if (!isJson || !TYPE.test(type) || !isObject(data) || !isOwnMetadata(metadata)) return null
  return { data, metadata }
}

function isOwnMetadata(value: unknown): value is EventMetadata & JsonObject {
  if (!isObject(value)) return false
  const { schemaVersion, correlationId, causationId, actor } = value
  return (
    Number.isSafeInteger(schemaVersion) &&
    typeof correlationId === 'string' &&
    typeof causationId === 'string' &&
    isObject(actor) &&
    typeof actor.kind === 'string'
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
}

export type ForeignEventsOptions = {
  readonly log: Log
  /** Called once for each foreign event that this process has read. */
  readonly onForeignEvent?: (event: ForeignEvent) => void
}

/** Reports each foreign event in our streams once, although many readers come across it. */
export class ForeignEvents {
  readonly #options: ForeignEventsOptions
  readonly #reported = new Set<Position>()

  constructor(options: ForeignEventsOptions) {
    this.#options = options
  }

  passOver(event: ForeignEvent): void {
    if (this.#reported.has(event.position)) return
    this.#reported.add(event.position)
    if (this.#reported.size > FOREIGN_EVENTS_REMEMBERED_MAX) {
      const [oldest] = this.#reported
      if (oldest !== undefined) this.#reported.delete(oldest)
    }
    this.#options.log.warn({ event }, 'an event that Tollgate did not write is in one of its streams; it is ignored')
    this.#options.onForeignEvent?.(event)
  }
}
