import type { Sql } from '../runner/ports.ts'
import type { PlanRow } from './projection.ts'

/** In their sort order; ties by creation time. */
export function allPlans(sql: Sql): Promise<PlanRow[]> {
  return sql.query<PlanRow>('select * from read_models.plans order by sort_order, created_at, plan_id')
}

export async function planById(sql: Sql, planId: string): Promise<PlanRow | null> {
  const [row] = await sql.query<PlanRow>('select * from read_models.plans where plan_id = $1', [planId])
  return row ?? null
}

/** Plans for sale that have no price at the payment provider. POSTPAID plans need none. */
export function needsProviderPricing(row: PlanRow): boolean {
  return row.active && row.billingMode !== 'POSTPAID' && row.providerPriceId === null
}
