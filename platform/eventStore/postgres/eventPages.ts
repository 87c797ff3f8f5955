import type { EventMetadata, JsonObject, RecordedEvent } from '../../../contracts/envelope.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import type { EventBatch } from '../port.ts'
import { READ_PAGE_BYTES_MAX } from '../storeLimits.ts'
import { positionOf } from './positionNumber.ts'

/** Events in order, limited by the requested number and the size of a page. */
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
  eventId: string
  type: string
  data: JsonObject
  metadata: EventMetadata
  recordedAt: string
}

export const EVENT_COLUMNS = 'position, stream, revision, event_id, type, data, metadata, recorded_at'

export function recordedEvent(row: EventRow): RecordedEvent {
  return {
    id: row.eventId,
    stream: row.stream,
    revision: Number(row.revision),
    position: positionOf(Number(row.position)),
    type: row.type,
    data: row.data,
    metadata: row.metadata,
    recordedAt: row.recordedAt,
  }
}

type PageRow = EventRow & { readonly bytes: number }

/** The page of events that match the condition. It includes the first event whatever its size. */
export const pageQuery = (condition: string, limit: string, columns: string = EVENT_COLUMNS): string =>
  // Sizes are the stored sizes, which need no decompression.
  `select ${columns}, bytes from (
     select *, sum(bytes) over (order by position rows unbounded preceding) - bytes as before from (
       select ${EVENT_COLUMNS}, pg_column_size(data) as bytes from event_store.events
       where ${condition} order by position limit ${limit}
     ) as wanted
   ) as weighed
   where before < ${READ_PAGE_BYTES_MAX}`

const AFTER = `${pageQuery('position > $1', '$2')} order by position`

/** One page of the events after the position. */
export async function readAfter(sql: Pick<Sql, 'query'>, position: number, limit: number): Promise<EventPage> {
  return pageOf(await sql.query<PageRow>(AFTER, [position, limit]), limit)
}

/** A read of some categories searches at most this many events for a page. */
const READ_RANGE_EVENTS_MAX = 20_000

/**
 * The same statement reads the head, so a reader of a long store needs one round trip per page. The row of the range is
 * returned even if no event in it matches.
 */
const OF_CATEGORIES = `
  with range as materialized (
    select least(position, $1::bigint + ${READ_RANGE_EVENTS_MAX}) as last from event_store.counter
  )
  select range.last, page.* from range left join (${pageQuery(
    // The planner needs the second bound, because it does not know the head.
    `position > $1 and position <= $1 + ${READ_RANGE_EVENTS_MAX} and position <= (select last from range)
       and split_part(stream, '-', 1) = any ($2)`,
    '$3',
  )}) as page on true order by page.position`

type RangeRow = { readonly last: string } & (PageRow | { readonly position: null })

/** One page of the categories, and the position up to which it is complete. */
export async function readCategories(
  sql: Pick<Sql, 'query'>,
  categories: readonly string[],
  after: number,
  limit: number,
): Promise<EventBatch> {
  const rows = await sql.query<RangeRow>(OF_CATEGORIES, [after, categories, limit])
  const { events, isFull } = pageOf(
    rows.filter((row) => row.position !== null),
    limit,
  )
  // Positions have no gaps, so a range of them is known to be complete.
  const last = Math.max(after, Number(rows[0]?.last ?? 0))
  return { events, position: (isFull && events.at(-1)?.position) || positionOf(last) }
}

function pageOf(rows: readonly PageRow[], limit: number): EventPage {
  let bytes = 0
  for (const row of rows) bytes += row.bytes
  return {
    events: rows.map(recordedEvent),
    bytes,
    isFull: rows.length === limit || bytes >= READ_PAGE_BYTES_MAX,
  }
}
