import type { Sql } from '../runner/ports.ts'
import type { DisputeRow } from './projection.ts'

export type DisputePlace = { readonly time: string; readonly id: string }

/** Those of all companies if `companyId` is null, the newest first, from after `after`. */
export function disputesAfter(
  sql: Sql,
  { companyId, after, limit }: { companyId: string | null; after: DisputePlace | null; limit: number },
): Promise<DisputeRow[]> {
  return sql.query<DisputeRow>(
    `select * from read_models.disputes
     where ($1::uuid is null or company_id = $1)
       and ($2::timestamptz is null or (date_trunc('milliseconds', opened_at), dispute_id) < ($2, $3))
     order by opened_at desc, dispute_id desc limit $4`,
    [companyId, after?.time ?? null, after?.id ?? null, limit],
  )
}

/** The open disputes of a company. */
export function openDisputesOf(sql: Sql, companyId: string): Promise<DisputeRow[]> {
  return sql.query<DisputeRow>(
    `select * from read_models.disputes
     where company_id = $1 and closed_at is null order by opened_at, dispute_id`,
    [companyId],
  )
}
