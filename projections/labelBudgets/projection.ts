import type { CompanyEvent } from '../../contracts/events/company.ts'
import { type BudgetColumns, budgetColumns } from '../budgetColumns.ts'
import type { Projection } from '../projection.ts'

/** Without a budget once it was removed. */
export type LabelBudgetRow = BudgetColumns & { readonly companyId: string; readonly label: string }

/** The budget of each fixed label. Only one event type matters, so the fold does not go through all of them. */
export const labelBudgets: Projection<LabelBudgetRow, CompanyEvent> = {
  name: 'label-budgets',
  version: 1,
  categories: ['company'],
  table: 'label_budgets',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'label'],
  rowsOf: (event) =>
    event.type === 'LabelBudgetSet' ? [{ companyId: event.data.companyId, label: event.data.label }] : [],
  evolve: (_row, event) => {
    if (event.type !== 'LabelBudgetSet') throw new Error(`${event.type} ${event.id} sets no budget of a label`)
    const { companyId, label, budget } = event.data
    return { companyId, label, ...budgetColumns(budget) }
  },
}
