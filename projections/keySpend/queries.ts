import type { Sql } from '../runner/ports.ts'
import type { KeySpendRow } from './projection.ts'

/** What every key has spent in these periods. */
export function spendIn(sql: Sql, periods: readonly string[]): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>('select * from read_models.key_spend where period = any($1)', [periods])
}

/** What the keys of a company have spent in these periods. */
export function companySpendIn(sql: Sql, companyId: string, periods: readonly string[]): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>('select * from read_models.key_spend where company_id = $1 and period = any($2)', [
    companyId,
    periods,
  ])
}
