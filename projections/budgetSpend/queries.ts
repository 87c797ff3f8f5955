import { periodOf, TOTAL } from '../../domain/apiKey/budgetPeriod.ts'
import type { Sql } from '../runner/ports.ts'
import type { BudgetSpendRow } from './projection.ts'

/** What every project and fixed label has spent in total and in the days and months since this one, ordered by period. */
export function budgetSpendSince(sql: Sql, day: string): Promise<BudgetSpendRow[]> {
  return sql.query<BudgetSpendRow>(
    `select * from read_models.budget_spend
     where period = '${TOTAL}' or period >= $1 and period < '${TOTAL}' or period >= $2 and period < $1 and length(period) = $3
     order by period`,
    [day, periodOf('MONTH', day), periodOf('MONTH', day).length],
  )
}

/** What these projects and fixed labels have spent in these periods. */
export function spendOfAccounts(
  sql: Sql,
  accounts: readonly string[],
  periods: readonly string[],
): Promise<BudgetSpendRow[]> {
  return sql.query<BudgetSpendRow>(
    'select * from read_models.budget_spend where account = any($1) and period = any($2)',
    [accounts, periods],
  )
}
