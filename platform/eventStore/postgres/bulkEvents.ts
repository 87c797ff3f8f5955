import type { Position } from '../../../contracts/position.ts'
import type { Database } from '../../../projections/runner/ports.ts'
import { int8Array, uuidArray } from '../../postgres/binaryArrays.ts'
import type { BulkEvents, EventText, StoredText } from '../port.ts'
import { pageQuery } from './eventPages.ts'
import { numberOf, positionOf } from './positionNumber.ts'

const READ_EVENTS_MAX = 2_000

/** Separates the texts of a column. JSON never contains it unescaped, and names of streams and types never do. */
const SEPARATOR = '\x1e'

/**
 * One statement, so one transaction and one round trip. As every append, it locks the counter first. Anything
 * unexpected (another position of the counter, another revision of a stream, a stream that already exists) leaves a
 * stream's number null, which its column refuses.
 */
const APPEND = `
  with counted as (
    update event_store.counter set position = position + cardinality($8::uuid[]) where position = $1 returning position
  ), lengthened as (
    update event_store.streams s set revision = n.last
    from counted, unnest($2::text[], $3::bigint[], $4::bigint[]) as n (stream, before, last)
    where s.stream = n.stream and s.revision = n.before
    returning s.stream_no, s.stream
  ), created as (
    insert into event_store.streams (stream, revision)
    select n.stream, n.last from counted, unnest($5::text[], $6::bigint[]) as n (stream, last)
    returning stream_no, stream
  ), numbers as (
    select * from lengthened union all select * from created
  )
  insert into event_store.events (position, stream_no, revision, event_id, recorded_at, stream, type, data, metadata)
  select $1 + e.ord, numbers.stream_no, e.revision, e.id, statement_timestamp(), e.stream, e.type, e.data::json, e.metadata::json
  from unnest($7::bigint[], $8::uuid[], string_to_array($9, E'\\x1e'), string_to_array($10, E'\\x1e'),
              string_to_array($11, E'\\x1e'), string_to_array($12, E'\\x1e'))
    with ordinality as e (revision, id, stream, type, data, metadata, ord)
  left join numbers on numbers.stream = e.stream`

/** The column stores JSON as it was written, so reading its text costs nothing. */
const READ = `${pageQuery(
  'position > $1',
  String(READ_EVENTS_MAX),
  'position, stream, revision, event_id, type, data::text as data, metadata::text as metadata',
)} order by position`

type TextRow = Omit<EventText, 'revision' | 'id'> & { position: string; revision: string; eventId: string }

export class PostgresBulkEvents implements BulkEvents {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async append(after: Position, events: readonly EventText[]): Promise<Position> {
    const from = numberOf(after)
    await this.#database.query(APPEND, [from, ...parametersOf(events)])
    return positionOf(from + events.length)
  }

  async read(after: Position) {
    const rows = await this.#database.query<TextRow>(READ, [numberOf(after)])
    const events = rows.map(({ position, stream, revision, eventId: id, type, data, metadata }): StoredText => {
      const place = { stream, revision: Number(revision), position: positionOf(Number(position)) }
      return { ...place, id, type, data, metadata }
    })
    return { events, position: events.at(-1)?.position ?? after }
  }
}

/** The first and last revision that a stream gets. */
type Range = { readonly first: number; last: number }

function parametersOf(events: readonly EventText[]): unknown[] {
  const ranges = rangesOf(events)
  const existing = [...ranges].filter(([, { first }]) => first > 0)
  const created = [...ranges].filter(([, { first }]) => first === 0)
  const joined = (texts: string[]) => texts.join(SEPARATOR)
  return [
    existing.map(([stream]) => stream),
    int8Array(existing.map(([, { first }]) => first - 1)),
    int8Array(existing.map(([, { last }]) => last)),
    created.map(([stream]) => stream),
    int8Array(created.map(([, { last }]) => last)),
    int8Array(events.map(({ revision }) => revision)),
    uuidArray(events.map(({ id }) => id)),
    joined(events.map(({ stream }) => stream)),
    joined(events.map(({ type }) => type)),
    joined(events.map(({ data }) => data)),
    joined(events.map(({ metadata }) => metadata)),
  ]
}

function rangesOf(events: readonly EventText[]): Map<string, Range> {
  const ranges = new Map<string, Range>()
  for (const { stream, revision } of events) {
    const range = ranges.get(stream)
    if (!range) ranges.set(stream, { first: revision, last: revision })
    else if (revision === range.last + 1) range.last = revision
    else throw new Error(`revision ${revision} of ${stream} does not follow ${range.last}`)
  }
  return ranges
}
