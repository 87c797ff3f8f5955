import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import { READ_PAGE_BYTES_MAX } from '../storeLimits.ts'
import { EVENT_COLUMNS, type EventRow, recordedEvent } from './recordedEvents.ts'

/** Events in their order, up to as many as were asked for and to the size of a page. */
export type EventPage = {
  readonly events: readonly RecordedEvent[]
  /** Of their data, as it is stored. */
  readonly bytes: number
  /** The size or the number ended it, so that there may be more. */
  readonly isFull: boolean
}

type PageRow = EventRow & { readonly bytes: number }

/**
 * One page of the events for which the condition holds; the last value is the limit of their number. The size is what
 * the columns say without being unpacked, and the first event is on the page whatever its size.
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
