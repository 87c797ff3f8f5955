import type { PGlite } from '@electric-sql/pglite'
import type { EventMetadata } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { rowsOf } from '../database/rows.ts'

/** An event as it is stored: nothing is brought to a newer version. */
export type StoredEvent<Event = EventOf> = Event & {
  readonly id: string
  readonly stream: string
  readonly revision: number
  /** ISO 8601; when the store wrote it. */
  readonly recordedAt: string
  readonly metadata: EventMetadata
}

export type EventTypes = EventOf['type']
export type EventNamed<Type extends EventTypes> = StoredEvent<Extract<EventOf, { type: Type }>>

/** Every stored event, in the order of the store. Only between transactions. */
export function storedEvents(pglite: PGlite): StoredEvent[] {
  const rows = rowsOf(
    pglite,
    `select event_id, stream, revision, type, data, metadata, round(extract(epoch from recorded_at) * 1000)
     from event_store.events order by position`,
  )
  return rows.map(([id, stream, revision, type, data, metadata, recordedMs]) => {
    const envelope = { id, stream, revision: Number(revision), recordedAt: new Date(Number(recordedMs)).toISOString() }
    return { ...envelope, type, data: parsed(data), metadata: parsed(metadata) } as StoredEvent
  })
}

/** The events of these types, in their order. */
export function only<Type extends EventTypes>(
  events: readonly StoredEvent[],
  ...types: readonly Type[]
): EventNamed<Type>[] {
  return events.filter(({ type }) => (types as readonly string[]).includes(type)) as unknown as EventNamed<Type>[]
}

/** The events of a category, such as `ledger`, in their order. */
export function ofCategory(events: readonly StoredEvent[], category: string): StoredEvent[] {
  return events.filter(({ stream }) => stream.startsWith(`${category}-`))
}

/** Groups in the order in which their keys first occur. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

function parsed(text: string | null | undefined): unknown {
  return JSON.parse(text ?? 'null')
}
