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

/**
 * Running subscriptions with an announced renewal that has not been billed yet. The renewal is billed once the period has moved
 * past it or the subscription has an invoice that is not older than the announcement. Both are checked, because the
 * provider's events on the subscription and on the invoice arrive in any order.
 */
export function announcedRenewals(sql: Sql, companyId: string, now: string): Promise<SubscriptionRow[]> {
  return sql.query<SubscriptionRow>(
    `select s.* from read_models.subscriptions s
     where s.company_id = $1 and s.status in ('ACTIVE', 'TRIALING', 'PAST_DUE') and not s.cancel_at_period_end
       and s.renews_at > $2 and coalesce(s.period_end_at <= s.renews_at, true)
       and not exists (
         select 1 from read_models.invoices i
         where i.company_id = s.company_id and i.subscription_id = s.subscription_id and i.said_at is not null
           and i.issued_at >= s.renewal_said_at and i.issued_at > coalesce(s.started_at, '-infinity'))
     order by s.renews_at, s.subscription_id`,
    [companyId, now],
  )
}
