import type {
  DomainEvent,
  EventMetadata,
  JsonObject,
  NewEvent,
  Recorded,
  RecordedEvent,
} from '../../contracts/envelope.ts'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import type { EventDefinition } from '../../contracts/events/definition.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Category } from '../../contracts/streams.ts'

export type Cause = Omit<EventMetadata, 'schemaVersion'>

/** Validates an event and adds id and metadata. Throws if it does not match its schema, which is a bug. */
export function newEvent(id: string, event: DomainEvent, cause: Cause): NewEvent {
  const { version, schema, isValid } = definitionOf(event.type)
  if (!isValid(event.data)) {
    throw new Error(`${event.type} does not follow its schema: ${schema.safeParse(event.data).error?.message}`)
  }
  return { id, type: event.type, data: event.data, metadata: { ...cause, schemaVersion: version } }
}

/**
 * Brings an event of any released version to the current one. The stored event stays as it is. This is the only place
 * where a stored event becomes a typed one: its data was validated against the schema of its version when it was
 * written, and the caller passes the category of its stream.
 */
export function upcast<C extends Category = Category>(
  event: RecordedEvent,
  catalogue: Readonly<Record<string, EventDefinition>> = EVENT_CATALOGUE,
): Recorded<EventOf<C>> {
  const definition = definitionOf(event.type, catalogue)
  const { schemaVersion, recordedAt = event.recordedAt } = event.metadata
  const { version, asRecorded } = definition
  const isCurrent = schemaVersion === version
  if (isCurrent && !asRecorded) return event as Recorded<EventOf<C>>
  const upcasted = upcastData(event.type, event.data, schemaVersion, definition)
  const data = asRecorded ? asRecorded(upcasted, recordedAt) : upcasted
  if (isCurrent && data === event.data) return event as Recorded<EventOf<C>>
  const current: RecordedEvent = { ...event, data, metadata: { ...event.metadata, schemaVersion: version } }
  return current as Recorded<EventOf<C>>
}

/** Brings the data of an event that was kept outside the event store to the current version. */
export function upcastData(
  type: string,
  data: JsonObject,
  fromVersion: number,
  { version, upcasters }: EventDefinition = definitionOf(type),
): JsonObject {
  if (!(fromVersion <= version))
    throw new Error(
      `${type} has version ${fromVersion}, but this program knows versions up to ${version}: update the program`,
    )
  let current = data
  for (let from = fromVersion; from < version; from++) {
    const next = upcasters[from]
    if (!next) throw new Error(`${type} has no upcaster from version ${from}`)
    current = next(current)
  }
  return current
}

function definitionOf(type: string, catalogue: Readonly<Record<string, EventDefinition>> = EVENT_CATALOGUE) {
  const definition = catalogue[type]
  if (!definition) throw new Error(`event type ${type} is not known to this program: update the program`)
  return definition
}
