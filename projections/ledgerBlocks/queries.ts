import type { Sql } from '../runner/ports.ts'
import { BLOCK_REVISIONS } from './projection.ts'

/** A place on a company's ledger from which to read on, and what is before it. */
export type LedgerPlace = {
  /** The first revision to read. */
  readonly revision: number
  /** How many events are before it. */
  readonly events: number
  /** The sum of these events. */
  readonly balanceMicros: bigint
}

/**
 * The beginning of the block with the first event stored at `time` or later; that of the last known block if there is none,
 * because the ledger may have more events than the model knows. All blocks before a known one are complete.
 */
export async function placeBefore(sql: Sql, companyId: string, time: string): Promise<LedgerPlace> {
  const [row] = await sql.query<PlaceRow>(
    `with known as (select * from read_models.ledger_blocks where company_id = $1),
       start as (select coalesce(
         (select block from known where latest_at >= $2 order by block limit 1),
         (select max(block) from known), 0) as block)
     select start.block, coalesce(sum(known.events), 0)::text as events, coalesce(sum(delta_micros), 0)::text as delta_micros
     from start left join known on known.block < start.block group by start.block`,
    [companyId, time],
  )
  return placeOf(row)
}

/** The beginning of the last known block that begins with the event of this number or an earlier one. */
export async function placeBeforeNumber(sql: Sql, companyId: string, number: number): Promise<LedgerPlace> {
  const [row] = await sql.query<PlaceRow>(
    `select * from (
       select block, (sum(events) over blocks - events)::text as events,
         (sum(delta_micros) over blocks - delta_micros)::text as delta_micros
       from read_models.ledger_blocks where company_id = $1
       window blocks as (order by block)) as places
     where events::bigint <= $2 order by block desc limit 1`,
    [companyId, number],
  )
  return placeOf(row)
}

/** The beginning of a known block. */
export async function placeOfBlock(sql: Sql, companyId: string, block: number): Promise<LedgerPlace> {
  const [row] = await sql.query<PlaceRow>(
    `select $2::text as block, coalesce(sum(events), 0)::text as events, coalesce(sum(delta_micros), 0)::text as delta_micros
     from read_models.ledger_blocks where company_id = $1 and block < $2::bigint`,
    [companyId, block],
  )
  return placeOf(row)
}

type PlaceRow = { readonly block: string; readonly events: string; readonly delta_micros: string }

function placeOf(row: PlaceRow | undefined): LedgerPlace {
  return {
    revision: Number(row?.block ?? 0) * BLOCK_REVISIONS,
    events: Number(row?.events ?? 0),
    balanceMicros: BigInt(row?.delta_micros ?? 0),
  }
}
