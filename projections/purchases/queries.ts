import type { Sql } from '../runner/ports.ts'
import type { PurchaseRow } from './projection.ts'

/** The newest first. */
export function purchasesOf(sql: Sql, companyId: string, limit: number): Promise<PurchaseRow[]> {
  return sql.query<PurchaseRow>(
    'select * from read_models.purchases where company_id = $1 order by started_at desc, purchase_id limit $2',
    [companyId, limit],
  )
}
