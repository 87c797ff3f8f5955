import type { KeyBudget } from '../../../contracts/events/apiKey.ts'
import type { CompanyEvent } from '../../../contracts/events/company.ts'
import type { ProjectEvent } from '../../../contracts/events/project.ts'
import { labelAccount, projectAccount } from '../../../domain/budgetAccounts.ts'
import { budgetIn } from '../../../projections/budgetColumns.ts'
import type { CompanyRow } from '../../../projections/companies/projection.ts'
import type { LabelBudgetRow } from '../../../projections/labelBudgets/projection.ts'
import type { ProjectRow } from '../../../projections/projects/projection.ts'

export type Budget = { readonly amountMicros: bigint; readonly period: KeyBudget['period'] }
type AccountBudget = { readonly account: string; readonly budget: KeyBudget | null }

/** The budgets of companies, projects and labels; those of keys are in the view of keys. */
export class BudgetView {
  readonly #budgets = new Map<string, Budget>()

  /** Of a company's id, or of the account of a project or a label. */
  of(account: string): Budget | null {
    return this.#budgets.get(account) ?? null
  }

  /** Most installations have none, and then no account has to be named. */
  get isEmpty(): boolean {
    return this.#budgets.size === 0
  }

  seed(rows: readonly AccountBudget[]): void {
    for (const { account, budget } of rows) this.#set(account, budget)
  }

  apply(event: CompanyEvent | ProjectEvent): void {
    switch (event.type) {
      case 'CompanyBudgetSet':
        this.#set(event.data.companyId, event.data.budget)
        return
      case 'LabelBudgetSet':
        this.#set(labelAccount(event.data.companyId, event.data.label), event.data.budget)
        return
      case 'ProjectBudgetSet':
        this.#set(projectAccount(event.data.projectId), event.data.budget)
        return
      default:
        return
    }
  }

  #set(account: string, budget: KeyBudget | null): void {
    if (budget === null) this.#budgets.delete(account)
    else this.#budgets.set(account, { amountMicros: BigInt(budget.amountMicros), period: budget.period })
  }
}

export function budgetsOfCompanies(rows: readonly CompanyRow[]): AccountBudget[] {
  return rows.map((row) => ({ account: row.companyId, budget: budgetIn(row) }))
}

export function budgetsOfProjects(rows: readonly ProjectRow[]): AccountBudget[] {
  return rows.map((row) => ({ account: projectAccount(row.projectId), budget: budgetIn(row) }))
}

export function budgetsOfLabels(rows: readonly LabelBudgetRow[]): AccountBudget[] {
  return rows.map((row) => ({ account: labelAccount(row.companyId, row.label), budget: budgetIn(row) }))
}
