import type { Sql } from '../runner/ports.ts'
import type { MonthCloseRow } from './projection.ts'

export type CompanyToClose = {
  readonly companyId: string
  readonly postpaidSince: string
  readonly postpaidUntil: string | null
  /** The newest closed month. */
  readonly lastClosed: string | null
}

/** Companies that were POSTPAID in a month up to `lastEnded` that is not closed yet. */
export function companiesToClose(
  sql: Sql,
  lastEnded: string,
  except: readonly string[],
  limit: number,
): Promise<CompanyToClose[]> {
  return sql.query<CompanyToClose>(
    `select * from (
       select c.company_id, c.postpaid_since, c.postpaid_until,
         (select max(m.month) from read_models.month_closes m where m.company_id = c.company_id) as last_closed,
         to_char(c.postpaid_since at time zone 'UTC', 'YYYY-MM') as first_month,
         coalesce(to_char(c.postpaid_until at time zone 'UTC', 'YYYY-MM'), $1) as last_month
       from read_models.companies c
       where c.postpaid_since is not null and c.company_id <> all($2::uuid[])) as postpaid
     where first_month <= $1 and coalesce(last_closed, '') < least(last_month, $1) and first_month <= last_month
     order by company_id limit $3`,
    [lastEnded, except, limit],
  )
}

export type MonthToEnd = MonthCloseRow & {
  /** The previous close, after which its range begins; null for the first one. */
  readonly previousRevision: string | null
  readonly previousCarriedMicros: string | null
}

/**
 * Each company's oldest closed month whose cost is not computed yet; months with an amount whose invoice the provider
 * has not reported; and unsettled months of free plans.
 */
export function monthsToEnd(sql: Sql, except: readonly string[], limit: number): Promise<MonthToEnd[]> {
  return sql.query<MonthToEnd>(
    `select m.*, p.revision as previous_revision, p.carried_micros as previous_carried_micros
     from read_models.month_closes m
     left join lateral (select revision, carried_micros, billed_at from read_models.month_closes b
       where b.company_id = m.company_id and b.revision < m.revision order by b.revision desc limit 1) p on true
     where m.company_id <> all($1::uuid[])
       and case when m.billed_at is null then p.revision is null or p.billed_at is not null
         else m.credits_micros > 0 and m.settled_at is null and not exists (select 1 from read_models.invoices i
           where i.company_id = m.company_id and i.month = m.month and i.said_at is not null and i.status <> 'DRAFT') end
     order by m.company_id, m.month limit $2`,
    [except, limit],
  )
}

/** The companies that may have an invoice for a month: those that were POSTPAID in it, and those that closed it. */
export function companiesBilledIn(sql: Sql, month: string): Promise<{ readonly companyId: string }[]> {
  return sql.query(
    `select c.company_id from read_models.companies c
     where exists (select 1 from read_models.month_closes m where m.company_id = c.company_id and m.month = $1)
       or (to_char(c.postpaid_since at time zone 'UTC', 'YYYY-MM') <= $1
         and coalesce(to_char(c.postpaid_until at time zone 'UTC', 'YYYY-MM'), $1) >= $1)
     order by c.company_id`,
    [month],
  )
}
