import type { EventMetadata, JsonObject, RecordedEvent } from '../../../../contracts/envelope.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import { READ_PAGE_BYTES_MAX } from '../storeLimits.ts'
import { positionOf } from './positionNumber.ts'

/** Events in order, limited by the number that was asked for and by the size of a page. */
export type EventPage = {
  readonly events: readonly RecordedEvent[]
  /** The stored size of their data. */
  readonly bytes: number
  /** A limit ended the page, so there may be more. */
  readonly isFull: boolean
}

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

type PageRow = EventRow & { readonly bytes: number }

/**
 * Reads one page of the events that match the condition. The last value is the maximum number of events. Sizes are the
 * stored sizes, which need no decompression. The first event is on the page whatever its size.
 */
export async function readPage(
  sql: Pick<Sql, 'query'>,
  condition: string,
  values: readonly [...unknown[], number],
): Promise<EventPage> {
  const limit = values.at(-1)
  const rows = await sql.query<PageRow>(
    `select ${EVENT_COLUMNS}, bytes from (
       select *, sum(bytes) over (order by position rows unbounded preceding) - bytes as before from (
         select ${EVENT_COLUMNS}, pg_column_size(data) as bytes from event_store.events
         where ${condition} order by position limit $${values.length}
       ) as wanted
     ) as weighed
     where before < ${READ_PAGE_BYTES_MAX} order by position`,
    values,
  )
  let bytes = 0
  for (const row of rows) bytes += row.bytes
  return {
    events: rows.map(recordedEvent),
    bytes,
    isFull: rows.length === limit || bytes >= READ_PAGE_BYTES_MAX,
  }
}
