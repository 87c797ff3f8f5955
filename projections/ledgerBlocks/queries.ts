import type { Sql } from '../runner/ports.ts'
import { BLOCK_REVISIONS, GROUP_BLOCKS } from './projection.ts'

/** A place on a company's ledger from which to continue reading, and what comes before it. */
export type LedgerPlace = {
  /** The first revision to read. */
  readonly revision: number
  /** How many events are before it. */
  readonly events: number
  /** The sum of these events. */
  readonly balanceMicros: bigint
}

const firstBlock = (rows: string) => `coalesce(
  (select block from ${rows} where latest_at >= $2 order by block limit 1), (select max(block) from ${rows}), 0)`

/** The query of `placeBefore`, with company and time as parameters, for queries that build on its row. */
export const PLACE_BEFORE = `
  with groups as materialized (select * from read_models.ledger_blocks where company_id = $1 and level = 1),
    started as materialized (select ${firstBlock('groups')} as block),
    blocks as materialized (
      select * from read_models.ledger_blocks where company_id = $1 and level = 0
        and block >= (select block from started) * ${GROUP_BLOCKS}
        and block < ((select block from started) + 1) * ${GROUP_BLOCKS}),
    start as materialized (select ${firstBlock('blocks')} as block)
  ${sumBefore('(select block from started)', '(select block from start)')}`

/**
 * The beginning of the block with the first event stored at `time` or later, or of the last known block if there is
 * none, because the ledger may have more events than the model knows. All blocks before a known one are complete.
 */
export async function placeBefore(sql: Sql, companyId: string, time: string): Promise<LedgerPlace> {
  const [row] = await sql.query<PlaceRow>(PLACE_BEFORE, [companyId, time])
  return placeOf(row)
}

/** The beginning of the last known block that begins with this event number or an earlier one. */
export async function placeBeforeNumber(sql: Sql, companyId: string, number: number): Promise<LedgerPlace> {
  const last = (rows: string, before: string) => `coalesce((
    select block from (
      select block, ${before} + sum(events) over (order by block) - events as before from ${rows}) as places
    where before <= $2 order by block desc limit 1), 0)`
  const [row] = await sql.query<PlaceRow>(
    `with groups as materialized (select * from read_models.ledger_blocks where company_id = $1 and level = 1),
       started as materialized (select ${last('groups', '0')} as block),
       blocks as materialized (
         select * from read_models.ledger_blocks where company_id = $1 and level = 0
           and block >= (select block from started) * ${GROUP_BLOCKS}
           and block < ((select block from started) + 1) * ${GROUP_BLOCKS}),
       start as materialized (select ${last(
         'blocks',
         '(select coalesce(sum(events), 0) from groups where block < (select block from started))',
       )} as block)
     ${sumBefore('(select block from started)', '(select block from start)')}`,
    [companyId, number],
  )
  return placeOf(row)
}

/** The beginning of a known block. */
export async function placeOfBlock(sql: Sql, companyId: string, block: number): Promise<LedgerPlace> {
  const group = Math.floor(block / GROUP_BLOCKS)
  const [row] = await sql.query<PlaceRow>(
    `with groups as (
         select * from read_models.ledger_blocks where company_id = $1 and level = 1 and block < $2::bigint),
       blocks as (
         select * from read_models.ledger_blocks where company_id = $1 and level = 0 and block >= $3::bigint and block < $4::bigint)
     ${sumBefore('$2::bigint', '$4::bigint')}`,
    [companyId, group, group * GROUP_BLOCKS, block],
  )
  return placeOf(row)
}

/** What comes before a block: whole groups, and blocks of its own group. */
function sumBefore(group: string, block: string): string {
  return `select ${block}::text as block, coalesce(sum(events), 0)::text as events,
     coalesce(sum(delta_micros), 0)::text as delta_micros
   from (select events, delta_micros from groups where block < ${group}
         union all select events, delta_micros from blocks where block < ${block}) as before`
}

type PlaceRow = { readonly block: string; readonly events: string; readonly deltaMicros: string }

function placeOf(row: PlaceRow | undefined): LedgerPlace {
  return {
    revision: Number(row?.block ?? 0) * BLOCK_REVISIONS,
    events: Number(row?.events ?? 0),
    balanceMicros: BigInt(row?.deltaMicros ?? 0),
  }
}
