import type { Sql } from '../runner/ports.ts'
import type { SubscriptionRow } from './projection.ts'

/** The newest subscription of the company. */
export async function subscriptionOf(sql: Sql, companyId: string): Promise<SubscriptionRow | null> {
  const [row] = await sql.query<SubscriptionRow>(
    `select * from read_models.subscriptions where company_id = $1
     order by started_at desc nulls first, subscription_id desc limit 1`,
    [companyId],
  )
  return row ?? null
}

/** Active subscriptions without a report since the given time, the oldest report first. */
export function staleSubscriptions(sql: Sql, before: string, limit: number): Promise<SubscriptionRow[]> {
  return sql.query<SubscriptionRow>(
    `select * from read_models.subscriptions
     where status in ('ACTIVE', 'TRIALING', 'PAST_DUE') and heard_at < $1
     order by heard_at, subscription_id limit $2`,
    [before, limit],
  )
}
