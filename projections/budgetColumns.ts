import type { BudgetPeriod, KeyBudget } from '../contracts/events/apiKey.ts'

/** A budget in a row: both columns, or null in both if there is none. */
export type BudgetColumns = { readonly budgetMicros: string | null; readonly budgetPeriod: BudgetPeriod | null }

export function budgetColumns(budget: KeyBudget | null): BudgetColumns {
  return { budgetMicros: budget?.amountMicros ?? null, budgetPeriod: budget?.period ?? null }
}

/** The budget of a row; null if it has none. */
export function budgetIn({ budgetMicros, budgetPeriod }: BudgetColumns): KeyBudget | null {
  // The columns are missing until the read model of an earlier version is rebuilt.
  return budgetMicros == null || budgetPeriod == null ? null : { amountMicros: budgetMicros, period: budgetPeriod }
}
