import type { BudgetPeriod, KeyBudget } from '../contracts/events/apiKey.ts'
import { requireAmount } from './credits.ts'

/** A budget as a command carries it: the most that may be spent in a period. */
export type Budget = { readonly amountMicros: bigint; readonly period: BudgetPeriod }

/** The budget as events store it; null if there is none. */
export function storedBudget(budget: Budget, what: string): KeyBudget
export function storedBudget(budget: Budget | null, what: string): KeyBudget | null
export function storedBudget(budget: Budget | null, what: string): KeyBudget | null {
  return budget && { amountMicros: requireAmount(budget.amountMicros, what), period: budget.period }
}

export function sameBudget(one: KeyBudget | null, other: KeyBudget | null): boolean {
  return one?.amountMicros === other?.amountMicros && one?.period === other?.period
}

/** Whether a budget is at most another one. Budgets of different periods cannot be compared. */
export function isWithin(budget: KeyBudget, maximum: KeyBudget): boolean {
  return budget.period === maximum.period && BigInt(budget.amountMicros) <= BigInt(maximum.amountMicros)
}
