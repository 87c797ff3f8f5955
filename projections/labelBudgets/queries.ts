import type { Sql } from '../runner/ports.ts'
import type { LabelBudgetRow } from './projection.ts'

/** Without labels whose budget was removed. */
export function allLabelBudgets(sql: Sql): Promise<LabelBudgetRow[]> {
  return sql.query<LabelBudgetRow>('select * from read_models.label_budgets where budget_micros is not null')
}

/** The labels of a company that have a budget, by name. */
export function labelBudgetsOf(sql: Sql, companyId: string): Promise<LabelBudgetRow[]> {
  return sql.query<LabelBudgetRow>(
    'select * from read_models.label_budgets where company_id = $1 and budget_micros is not null order by label',
    [companyId],
  )
}
