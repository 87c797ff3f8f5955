import type { Sql } from '../runner/ports.ts'

/** The labels that each company has used on the day that begins at this time. */
export function labelsOfDay(sql: Sql, dayBegan: string): Promise<{ companyId: string; label: string }[]> {
  return sql.query(
    "select distinct company_id, label from read_models.usage_by_label where granularity = 'day' and bucket = $1",
    [dayBegan],
  )
}
