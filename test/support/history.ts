import { randomUUID } from 'node:crypto'
import type { DomainEvent, NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { newEvent } from '../../services/platform/commands/eventCodec.ts'

/** An event that is fit to be stored, under an id of its own. */
export function anEventOf(event: DomainEvent, id: string = randomUUID()): NewEvent {
  return newEvent(id, event, { correlationId: 'test', causationId: 'test', actor: { kind: 'system', name: 'test' } })
}

/** The events of one stream as a store gives them back. */
export function history(stream: string, ...events: DomainEvent[]): RecordedEvent[] {
  return events.map((event, revision) => ({
    ...anEventOf(event),
    stream,
    revision,
    position: String(revision + 1).padStart(16, '0') as Position,
    recordedAt: '2026-12-31T23:59:59.999Z',
  }))
}
