import { periodOf, TOTAL } from '../../domain/apiKey/budgetPeriod.ts'
import type { Sql } from '../runner/ports.ts'
import type { KeySpendRow } from './projection.ts'

/** What every key has spent in total, in the months and on the days since this one, in the order of the periods. */
export function spendSince(sql: Sql, day: string): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>(
    `select * from read_models.key_spend
     where period = '${TOTAL}' or period >= $1 and period < '${TOTAL}' or period >= $2 and period < $1 and length(period) = $3
     order by period`,
    [day, periodOf('MONTH', day), periodOf('MONTH', day).length],
  )
}

/** What the keys of a company have spent in these periods. */
export function companySpendIn(sql: Sql, companyId: string, periods: readonly string[]): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>('select * from read_models.key_spend where company_id = $1 and period = any($2)', [
    companyId,
    periods,
  ])
}

/** What these keys have spent in these periods. */
export function spendOfKeys(sql: Sql, keyIds: readonly string[], periods: readonly string[]): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>(
    'select * from read_models.key_spend where key_id = any($1::uuid[]) and period = any($2)',
    [keyIds, periods],
  )
}
