import type { Effort } from './conversation.ts'

/** A budget from this number of tokens on asks for this effort. */
const EFFORT_FROM: readonly (readonly [number, Effort])[] = [
  [16_384, 'high'],
  [4_096, 'medium'],
]

/** The effort that comes nearest to a budget of tokens, for an API without budgets. */
export function effortOfBudget(budgetTokens: number): Effort {
  return EFFORT_FROM.find(([from]) => budgetTokens >= from)?.[1] ?? 'low'
}
