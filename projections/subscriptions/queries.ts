import type { Sql } from '../runner/ports.ts'
import type { SubscriptionRow } from './projection.ts'

/** The company's running subscription, the earlier one if there are two; otherwise the newest. */
export async function subscriptionOf(sql: Sql, companyId: string): Promise<SubscriptionRow | null> {
  const [row] = await sql.query<SubscriptionRow>(
    `select s.* from read_models.subscriptions s
     cross join lateral (select s.status in ('ACTIVE', 'TRIALING', 'PAST_DUE') as running) now
     where s.company_id = $1
     order by now.running desc, case when now.running then s.started_at end nulls last,
       s.started_at desc nulls first, s.subscription_id desc
     limit 1`,
    [companyId],
  )
  return row ?? null
}

/** The newest first. */
export function subscriptionsOf(sql: Sql, companyId: string, limit: number): Promise<SubscriptionRow[]> {
  return sql.query<SubscriptionRow>(
    `select * from read_models.subscriptions where company_id = $1
     order by started_at desc nulls first, subscription_id desc limit $2`,
    [companyId, limit],
  )
}

/** The running subscriptions of companies that have more than one. */
export function competingSubscriptions(sql: Sql, except: readonly string[], limit: number): Promise<SubscriptionRow[]> {
  return sql.query<SubscriptionRow>(
    `select * from read_models.subscriptions
     where status in ('ACTIVE', 'TRIALING', 'PAST_DUE') and company_id in (
       select company_id from read_models.subscriptions
       where status in ('ACTIVE', 'TRIALING', 'PAST_DUE') and company_id <> all($1::uuid[])
       group by company_id having count(*) > 1 order by company_id limit $2)`,
    [except, limit],
  )
}

/** Duplicates that were found and are not ended yet. */
export function openDuplicates(sql: Sql, except: readonly string[], limit: number): Promise<SubscriptionRow[]> {
  return sql.query<SubscriptionRow>(
    `select * from read_models.subscriptions
     where duplicate_of is not null and duplicate_ended_at is null and subscription_id <> all($1::text[])
     order by subscription_id limit $2`,
    [except, limit],
  )
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
 * Running subscriptions with an announced renewal that has not been billed yet. The renewal is billed once the period
 * has moved past it or the subscription has an invoice that is not older than the announcement. Both are checked,
 * because the provider's events about subscription and invoice arrive in any order.
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
