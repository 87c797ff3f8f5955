import { BLOCK_REVISIONS } from '../ledgerBlocks/projection.ts'
import { type LedgerPlace, PLACE_BEFORE } from '../ledgerBlocks/queries.ts'
import type { Sql } from '../runner/ports.ts'
import { entriesOfPart, PART_REVISIONS, type PartEntry } from './projection.ts'

/** The beginning of a part of a ledger, and its known entries; none if the block has no known part. */
export type LedgerPart = LedgerPlace & { readonly entries: Iterable<PartEntry> }

const BLOCK_PARTS = BLOCK_REVISIONS / PART_REVISIONS

/** Values of other rows are subqueries instead of joins, so that an index finds where to begin. */
const PART_BEFORE = `
  with place as materialized (
      select block::bigint as block, events::bigint as events, delta_micros::numeric as micros
      from (${PLACE_BEFORE}) as block),
    parts as materialized (
      select part, events, delta_micros, latest_at, first_at, entries from read_models.ledger_parts
      where company_id = $1 and part >= (select block from place) * ${BLOCK_PARTS}
        and part < ((select block from place) + 1) * ${BLOCK_PARTS}),
    start as materialized (
      select coalesce(
        (select part from parts where latest_at >= $2 order by part limit 1), (select max(part) from parts)) as part)
  select coalesce(start.part * ${PART_REVISIONS}, place.block * ${BLOCK_REVISIONS})::text as revision,
    (place.events + coalesce((select sum(events) from parts where part < start.part), 0))::text as events,
    (place.micros + coalesce((select sum(delta_micros) from parts where part < start.part), 0))::text as micros,
    parts.part::text as part, parts.first_at, parts.entries
  from place cross join start left join parts on parts.part = start.part`

/** The name under which connections keep its plan. */
export const PART_BEFORE_NAME = 'part of a ledger'

type PartRow = {
  readonly revision: string
  readonly events: string
  readonly micros: string
  readonly part: string | null
  readonly firstAt: string | null
  readonly entries: string | null
}

/**
 * The part with the first event stored at `time` or later, or the last known one of the last known block if there is
 * none. All parts before a known one are complete, and so are all blocks, whose model may be ahead of that of the parts
 * or behind it.
 */
export async function partBefore(sql: Sql, companyId: string, time: string): Promise<LedgerPart> {
  const [row] = await sql.query<PartRow>(PART_BEFORE, [companyId, time], PART_BEFORE_NAME)
  const { part, firstAt, entries } = row ?? { part: null, firstAt: null, entries: null }
  return {
    revision: Number(row?.revision ?? 0),
    events: Number(row?.events ?? 0),
    balanceMicros: BigInt(row?.micros ?? 0),
    entries: part === null || firstAt === null || entries === null ? [] : entriesOfPart({ part, firstAt, entries }),
  }
}
