import type { Sql } from '../runner/ports.ts'

/** Companies with an attempt whose outcome is not known yet. */
export function runningTopUps(sql: Sql, except: readonly string[], limit: number): Promise<{ companyId: string }[]> {
  return sql.query<{ companyId: string }>(
    `select company_id from read_models.top_ups
     where running_attempt is not null and company_id <> all($1::uuid[]) order by company_id limit $2`,
    [except, limit],
  )
}
