import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { BUDGET_LEVELS, type BudgetLevel } from '../../../domain/budgetAccounts.ts'
import type { CallToHold } from '../holds/holdKeeper.ts'
import type { Budget } from '../views/budgets.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import { type BoundCall, boundBudgets, spendAt } from './boundBudgets.ts'

/** More than any call costs, for a budget that was removed while a call was in flight. Shared state counts in doubles. */
const NO_LIMIT_MICROS = 1_000_000_000_000_000n
/** Ends the level in the name of an account. No id of a company contains it. */
const MARK = '-budget:'

type Views = Pick<GatewayViews, 'keys' | 'budgets' | 'spend'>

/** What a call that is admitted at this time is held against: the balance of its company, and the rest of its budgets. */
export function accountsOf(views: Pick<Views, 'budgets'>, call: BoundCall, admittedAt: string): CallToHold['accounts'] {
  const budgets = boundBudgets(views, call)
  return [
    call.companyId,
    ...budgets.map(({ level, id, budget }) => nameOf(level, id, periodOf(budget.period, admittedAt))),
  ]
}

function nameOf(level: BudgetLevel, id: string, period: string): string {
  return `${level}${MARK}${id}:${period}`
}

/** Whether an account is a budget, and not the balance of a company. */
export function isBudget(account: string): boolean {
  return account.includes(MARK)
}

/** What is left of a budget in the period of its account. */
export function leftOf(views: Views, account: string): bigint {
  const { level, spenders, budget } = budgetNamed(views, account)
  const period = account.slice(account.lastIndexOf(':') + 1)
  // Another period may have been chosen meanwhile.
  if (budget === null || !isOf(budget.period, period)) return NO_LIMIT_MICROS
  return budget.amountMicros - spendAt(views, level).unheldMicros(spenders, period)
}

type Named = { readonly level: BudgetLevel; readonly spenders: readonly string[]; readonly budget: Budget | null }

/** The budget of an account as it is now. */
export function budgetNamed({ keys, budgets }: Pick<Views, 'keys' | 'budgets'>, account: string): Named {
  const level = BUDGET_LEVELS.find((each) => account.startsWith(`${each}${MARK}`))
  if (level === undefined) throw new Error(`${account} is not the account of a budget`)
  const id = account.slice(level.length + MARK.length, account.lastIndexOf(':'))
  if (level !== 'key') {
    const spender = level === 'company' ? id : `${level}:${id}`
    return { level, spenders: [spender], budget: budgets.of(spender) }
  }
  const family = keys.familyOf(id)
  return { level, spenders: family?.keyIds ?? [], budget: family?.budget ?? null }
}

function isOf(kind: Budget['period'], period: string): boolean {
  return kind === 'TOTAL' ? period === TOTAL : periodOf(kind, period) === period
}
