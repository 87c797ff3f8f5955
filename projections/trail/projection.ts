import type { Recorded } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import { CATEGORIES } from '../../contracts/streams.ts'
import type { Projection } from '../projection.ts'
import { type Fact, TRAIL_RECORDS, type TrailRecord } from './trailRecords.ts'

export type TrailRow = {
  readonly stream: string
  readonly revision: string
  readonly eventId: string
  /** When the event was stored; for a restored event, when it was first stored. */
  readonly recordedAt: string
  readonly type: string
  /** null: the event does not say. Events of keys and users belong to the company that their stream names earlier. */
  readonly companyId: string | null
  readonly actorKind: 'system' | 'user' | 'apiKey'
  /** The name of the system component, or the id of the user or key. */
  readonly actorId: string
  readonly correlationId: string
  readonly causationId: string
  /** Whom or what the event concerns. */
  readonly userId: string | null
  readonly keyId: string | null
  readonly purchaseId: string | null
  readonly invoiceId: string | null
  readonly facts: Readonly<Record<string, Fact>>
}

const SKIPPED: ReadonlySet<string> = new Set(
  Object.entries(TRAIL_RECORDS)
    .filter(([, record]) => record === null)
    .map(([type]) => type),
)

/**
 * One row for each event that a person or a system component caused, with what may be shown of it. The rows contain the
 * facts themselves: a page is then one query that reads no stream. A new category raises the version, like a new table.
 */
export const trail: Projection<TrailRow, EventOf> = {
  name: 'trail',
  version: 2,
  categories: CATEGORIES,
  table: 'trail',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['stream', 'revision'],
  insertOnly: true,
  // A restore stores this one itself, with its own time: the hash would differ from that of the saved store.
  hashed: "type <> 'LogOriginStarted'",
  skips: SKIPPED,
  rowsOf: (event) => (SKIPPED.has(event.type) ? [] : [placeOf(event)]),
  evolve: (row, event) => row ?? entryOf(event),
}

function placeOf({ stream, revision }: Recorded<EventOf>) {
  return { stream, revision: String(revision) }
}

function entryOf(event: Recorded<EventOf>): TrailRow {
  // The type selects the record, which the compiler cannot follow.
  const record = TRAIL_RECORDS[event.type] as ((data: EventOf['data']) => TrailRecord) | null
  if (!record) throw new Error(`${event.type} ${event.id} is not part of the trail`)
  const {
    companyId = null,
    userId = null,
    keyId = null,
    purchaseId = null,
    invoiceId = null,
    facts,
  } = record(event.data)
  const { actor, correlationId, causationId } = event.metadata
  return {
    ...placeOf(event),
    eventId: event.id,
    recordedAt: event.recordedAt,
    type: event.type,
    companyId,
    actorKind: actor.kind,
    actorId: actor.kind === 'system' ? actor.name : actor.id,
    correlationId,
    causationId,
    userId,
    keyId,
    purchaseId,
    invoiceId,
    facts,
  }
}
