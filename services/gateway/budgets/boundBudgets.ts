import { periodOf } from '../../../domain/apiKey/budgetPeriod.ts'
import { type BudgetLevel, labelAccount, projectAccount } from '../../../domain/budgetAccounts.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { GatewayError } from '../gatewayError.ts'
import type { Budget } from '../views/budgets.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import type { KeyFamily } from '../views/keys.ts'
import type { SpendView } from '../views/spend.ts'

/** A budget that binds a call. */
export type BoundBudget = {
  readonly level: BudgetLevel
  /** Names it among all budgets of its level. */
  readonly id: string
  /** Whose spend counts against it. */
  readonly spenders: readonly string[]
  readonly budget: Budget
}

/** What of a call decides which budgets bind it. */
export type BoundCall = {
  readonly companyId: string
  /** null for a key that the gateway does not know yet. */
  readonly family: KeyFamily | null
  readonly projectId: string | null
  readonly label: string | null
  readonly labelFixed: boolean
}

type BudgetViews = Pick<GatewayViews, 'budgets'>
type SpendViews = Pick<GatewayViews, 'spend'>

const NONE: readonly BoundBudget[] = []

/** From the widest to the narrowest: the first that is used up refuses the call. */
export function boundBudgets({ budgets }: BudgetViews, call: BoundCall): readonly BoundBudget[] {
  const { companyId, family, projectId, label, labelFixed } = call
  const ofKey = family?.budget ?? null
  if (budgets.isEmpty && ofKey === null) return NONE
  const bound: BoundBudget[] = []
  const add = (level: BudgetLevel, id: string, account: string) => {
    const budget = budgets.of(account)
    if (budget !== null) bound.push({ level, id, spenders: [account], budget })
  }
  add('company', companyId, companyId)
  if (projectId !== null) add('project', projectId, projectAccount(projectId))
  if (family && ofKey) bound.push({ level: 'key', id: family.familyId, spenders: family.keyIds, budget: ofKey })
  if (labelFixed && label !== null) add('label', `${companyId}:${label}`, labelAccount(companyId, label))
  return bound
}

/** The refusal of the first budget that is used up, whichever of its keys has spent it; null if none is. */
export function budgetRefusal(views: BudgetViews & SpendViews, call: BoundCall, now: string): GatewayError | null {
  for (const bound of boundBudgets(views, call)) {
    const { spenders, budget } = bound
    if (spendAt(views, bound.level).spentMicros(spenders, periodOf(budget.period, now)) < budget.amountMicros) continue
    return budgetExceeded(bound, `The budget of ${inWords(bound)}, is used up.`)
  }
  return null
}

/** The view that counts the spenders of a level. */
export function spendAt({ spend }: SpendViews, level: BudgetLevel): SpendView {
  return level === 'company' || level === 'key' ? spend.keys : spend.accounts
}

const ERRORS = {
  company: 'companyBudgetExceeded',
  project: 'projectBudgetExceeded',
  key: 'keyBudgetExceeded',
  label: 'labelBudgetExceeded',
} as const satisfies Record<BudgetLevel, string>

export function budgetExceeded({ level }: Pick<BoundBudget, 'level'>, message: string): GatewayError {
  return new GatewayError(ERRORS[level], message)
}

const OWNERS = {
  company: 'the company',
  project: 'the project of this key',
  key: 'this key',
  label: 'the label of this key',
} as const satisfies Record<BudgetLevel, string>
const PERIODS = { DAY: ' for a day in UTC', MONTH: ' for a month in UTC', TOTAL: ' in total' } as const

/** this key, 5 credits for a day in UTC */
export function inWords({ level, budget }: Pick<BoundBudget, 'level' | 'budget'>): string {
  return `${OWNERS[level]}, ${formatCredits(budget.amountMicros)} credits${PERIODS[budget.period]}`
}
