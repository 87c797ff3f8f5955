import type { KeyBudget } from '../../../../contracts/events/apiKey.ts'
import type { Budget as BudgetCommand } from '../../../../domain/budget.ts'
import { creditsNumber, creditsOf } from '../../../../domain/credits.ts'
import type { BudgetAmount, KeyBudgetInput, Maybe } from '../generated.ts'

export function shownAmount(budget: KeyBudget | null): BudgetAmount | null {
  return budget && { credits: creditsNumber(BigInt(budget.amountMicros)), period: budget.period }
}

/** The shortest decimal of the number is what the caller wrote; more than six places are refused. */
export function budgetFrom({ credits, period }: KeyBudgetInput): BudgetCommand {
  return { amountMicros: creditsOf(credits), period }
}

export function budgetOrNull(input: Maybe<KeyBudgetInput> | undefined): BudgetCommand | null {
  return input ? budgetFrom(input) : null
}
