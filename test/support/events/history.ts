import { randomUUID } from 'node:crypto'
import type { DomainEvent, NewEvent, Recorded } from '../../../contracts/envelope.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Category, StreamName } from '../../../contracts/streams.ts'
import { newEvent } from '../../../platform/eventStore/eventCodec.ts'

/** A storable event with a new id. */
export function anEventOf(event: DomainEvent, id: string = randomUUID()): NewEvent {
  return newEvent(id, event, { correlationId: 'test', causationId: 'test', actor: { kind: 'system', name: 'test' } })
}

/** The events of one stream as read from a store. */
export function history<C extends Category>(stream: StreamName<C>, ...events: EventOf<C>[]): Recorded<EventOf<C>>[] {
  return events.map((event, revision) => {
    const { id, metadata } = anEventOf(event)
    const position = String(revision + 1).padStart(16, '0') as Position
    return { ...event, id, metadata, stream, revision, position, recordedAt: '2026-12-31T23:59:59.999Z' }
  })
}
