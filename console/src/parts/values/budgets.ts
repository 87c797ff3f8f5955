import type { BudgetPeriod } from '../../graphql/generated.ts'

export type BudgetAmount = { readonly credits: number; readonly period: BudgetPeriod }

export const PERIODS = [
  { value: 'DAY', label: 'per UTC day' },
  { value: 'MONTH', label: 'per UTC month' },
  { value: 'TOTAL', label: 'in all' },
] as const

export function periodName(period: string): string {
  return PERIODS.find(({ value }) => value === period)?.label ?? period
}

/** A budget as typed; without credits there is none. */
export type BudgetDraft = { readonly budget: string; readonly period: BudgetPeriod }

export function budgetDraftOf(budget: BudgetAmount | null): BudgetDraft {
  return { budget: budget === null ? '' : String(budget.credits), period: budget?.period ?? 'MONTH' }
}

/** The typed budget; null if none was typed. */
export function budgetIn({ budget, period }: BudgetDraft): BudgetAmount | null {
  return budget.trim() === '' ? null : { credits: Number(budget), period }
}

/** What is wrong with a typed amount; an empty one is right. */
export function amountFault(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || (/^\d+(\.\d{1,6})?$/.test(text) && Number(text) > 0)) return undefined
  return 'Enter a number of credits above 0, with up to six decimals.'
}

/** Whether a budget is at most another one. Budgets of different periods cannot be compared. */
export function isWithin(budget: BudgetAmount, maximum: BudgetAmount): boolean {
  return budget.period === maximum.period && budget.credits <= maximum.credits
}
