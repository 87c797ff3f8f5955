import { amountFault, type BudgetDraft, budgetDraftOf, budgetIn, isWithin } from '../../parts/values/budgets.ts'
import type { Rules } from './projectWords.ts'

/** The rules for keys of developers, as typed. */
export type RulesDraft = {
  /** The budget of a key for which none is named. */
  readonly standard: BudgetDraft
  readonly maximum: BudgetDraft
  readonly projectRequired: boolean
}

export function rulesDraftOf({ defaultBudget, maximumBudget, projectRequired }: Rules): RulesDraft {
  return { standard: budgetDraftOf(defaultBudget), maximum: budgetDraftOf(maximumBudget), projectRequired }
}

export function rulesIn({ standard, maximum, projectRequired }: RulesDraft): Rules {
  return { defaultBudget: budgetIn(standard), maximumBudget: budgetIn(maximum), projectRequired }
}

export function ruleFaults(draft: RulesDraft): { readonly standard?: string; readonly maximum?: string } {
  const [standard, maximum] = [amountFault(draft.standard.budget), amountFault(draft.maximum.budget)]
  if (standard || maximum) return { ...(standard && { standard }), ...(maximum && { maximum }) }
  const { defaultBudget, maximumBudget } = rulesIn(draft)
  if (!defaultBudget || !maximumBudget || isWithin(defaultBudget, maximumBudget)) return {}
  return { standard: 'The default has to be within the maximum: for the same period, and not larger.' }
}
