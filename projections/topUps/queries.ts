import type { Sql } from '../runner/ports.ts'

export type FallenBalance = {
  readonly companyId: string
  readonly balanceMicros: string
  /** All credits ever granted. It is of the same moment as the balance. */
  readonly grantsMicros: string
}

/** Companies whose balance is below the threshold of their top-up, and that have not tried to top up this fall of it. */
export function fallenBalances(sql: Sql, except: readonly string[], limit: number): Promise<FallenBalance[]> {
  return sql.query<FallenBalance>(
    `select company_id, coalesce(balance_micros, 0)::text as balance_micros, coalesce(grants_micros, 0)::text as grants_micros
     from read_models.top_ups
     join read_models.companies using (company_id)
     left join read_models.credit_balances using (company_id)
     where is_on and running_attempt is null and billing_mode = 'PREPAID' and suspended_at is null
       and company_id <> all($1::uuid[]) and coalesce(balance_micros, 0) < threshold_micros
       and (tried_at_micros is null or coalesce(grants_micros, 0) > tried_at_micros
         or (may_repeat and coalesce(grants_micros, 0) = tried_at_micros))
     order by company_id limit $2`,
    [except, limit],
  )
}

/** Companies with an attempt whose outcome is not known yet. */
export function runningTopUps(sql: Sql, except: readonly string[], limit: number): Promise<{ companyId: string }[]> {
  return sql.query<{ companyId: string }>(
    `select company_id from read_models.top_ups
     where running_attempt is not null and company_id <> all($1::uuid[]) order by company_id limit $2`,
    [except, limit],
  )
}
