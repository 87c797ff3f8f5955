import { BLOCK_REVISIONS } from '../../../projections/ledgerBlocks/projection.ts'
import { type LedgerPlace, PLACE_BEFORE } from '../../../projections/ledgerBlocks/queries.ts'
import type { Sql } from '../../../projections/runner/ports.ts'

/** A place on a ledger before a moment. */
export type NearPlace = LedgerPlace & {
  /** Whether the entry after it is known to be stored at the moment or later. Otherwise the ledger has to be read from here on. */
  readonly isBoundary: boolean
}

/**
 * Reading a block of the ledger takes many times as long as adding up its transactions. The log knows when each entry was
 * stored, and the last transaction shows that all transactions before it are stored. So the place is before the first entry
 * that was stored at the time or later. If the log or the transactions end before that entry, the place is before the last
 * entry up to which both are complete. Values of other rows are subqueries and not joins, so that an index finds where to
 * begin.
 */
const NEAR_PLACE = `
  with place as materialized (
      select block::bigint * ${BLOCK_REVISIONS} as revision, events::bigint as number, delta_micros::numeric as micros
      from (${PLACE_BEFORE}) as block),
    complete as materialized (
      select coalesce(max(revision), 0) as revision from read_models.credit_transactions where company_id = $1),
    found as materialized (
      select number, revision, recorded_at >= $2 as is_boundary from ledger_log.entries
      where company_id = $1 and number >= (select number from place)
        and (recorded_at >= $2 or revision >= (select revision from complete))
      order by number limit 1),
    sealed as (
      select number, revision, false as is_boundary from ledger_log.entries
      where company_id = $1 order by number desc limit 1),
    near as materialized (
      select near.* from place, (
        select * from found union all select * from sealed where not exists (select from found)) as near
      where near.number >= place.number and near.revision >= place.revision)
  select coalesce(near.revision, place.revision)::text as revision, coalesce(near.number, place.number)::text as number,
    (micros + coalesce((
      select sum(amount_micros) from read_models.credit_transactions
      where company_id = $1 and revision >= place.revision and revision < near.revision), 0))::text as micros,
    coalesce(is_boundary, false) as is_boundary
  from place left join near on true`

type NearRow = {
  readonly revision: string
  readonly number: string
  readonly micros: string
  readonly is_boundary: boolean
}

/** By which connections keep its plan. */
export const NEAR_PLACE_NAME = 'place on a ledger'

/** The place of the first entry stored at `time` or later, or one before it that is as near as is known. */
export async function nearPlace(sql: Sql, companyId: string, time: string): Promise<NearPlace> {
  const [row] = await sql.query<NearRow>(NEAR_PLACE, [companyId, time], NEAR_PLACE_NAME)
  return {
    revision: Number(row?.revision ?? 0),
    events: Number(row?.number ?? 0),
    balanceMicros: BigInt(row?.micros ?? 0),
    isBoundary: row?.is_boundary ?? false,
  }
}
