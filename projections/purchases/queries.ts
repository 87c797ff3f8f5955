import type { Sql } from '../runner/ports.ts'
import type { PurchaseRow } from './projection.ts'

/** The newest first. */
export function purchasesOf(sql: Sql, companyId: string, limit: number): Promise<PurchaseRow[]> {
  return sql.query<PurchaseRow>(
    'select * from read_models.purchases where company_id = $1 order by started_at desc, purchase_id limit $2',
    [companyId, limit],
  )
}

/**
 * Purchases whose checkout session has ended, so that the provider must be asked. A purchase completed by such an
 * answer has its expiry as completion time; it is returned for another day, because a crash may have prevented its
 * booking.
 */
export function endedPurchases(
  sql: Sql,
  { now, since, except, limit }: { now: string; since: string; except: readonly string[]; limit: number },
): Promise<PurchaseRow[]> {
  return sql.query<PurchaseRow>(
    `select * from read_models.purchases
     where expires_at <= $1 and session_id is not null and purchase_id <> all($3::uuid[])
       and (status = 'PENDING' or (status = 'COMPLETED' and completed_at = date_trunc('second', expires_at) and expires_at > $2))
     order by expires_at, purchase_id limit $4`,
    [now, since, except, limit],
  )
}
