import { periodOf, TOTAL } from '../../domain/apiKey/budgetPeriod.ts'
import type { Sql } from '../runner/ports.ts'
import type { KeySpendRow } from './projection.ts'

/** What every key has spent in total and in the days and months since this one, ordered by period. */
export function spendSince(sql: Sql, day: string): Promise<KeySpendRow[]> {
  return sql.query<KeySpendRow>(
    `select * from read_models.key_spend
     where period = '${TOTAL}' or period >= $1 and period < '${TOTAL}' or period >= $2 and period < $1 and length(period) = $3
     order by period`,
    [day, periodOf('MONTH', day), periodOf('MONTH', day).length],
  )
}

/**
 * The newest days and months of keys of companies with budgets, whichever those are: the clock at a gateway's start may
 * be ahead, and once it is corrected, the spend of the right day counts.
 */
export function newestSpendOfBudgets(sql: Sql, periods: number): Promise<KeySpendRow[]> {
  const newest = (chars: number) =>
    `select * from read_models.key_spend where key_id = keys.key_id and length(period) = ${chars} order by period desc limit $1`
  return sql.query<KeySpendRow>(
    `select spend.* from read_models.api_keys as keys
     cross join lateral ((${newest('2026-03-01'.length)}) union all (${newest('2026-03'.length)})) as spend
     where keys.company_id in (select company_id from read_models.api_keys where budget_micros is not null)`,
    [periods],
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
