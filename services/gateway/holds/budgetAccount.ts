import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayViews, LedgerSeen } from '../views/gatewayViews.ts'
import type { KeyFamily } from '../views/keys.ts'

/** The second account of a hold besides the company's balance: the rest of a key's budget in a period. */
export type BudgetAccount = { readonly familyId: string; readonly period: string }

/** More than any call costs, for a budget that was removed while a call was in flight. Shared state counts in doubles. */
const NO_LIMIT_MICROS = 1_000_000_000_000_000n
const PREFIX = 'budget:'
const BUDGETS = { DAY: ' for a day in UTC', MONTH: ' for a month in UTC', TOTAL: ' in total' } as const

/** The account of a call that is admitted at this time; null if its key has no budget. */
export function budgetAccountOf({ familyId, budget }: KeyFamily, admittedAt: string): BudgetAccount | null {
  return budget === null ? null : { familyId, period: periodOf(budget.period, admittedAt) }
}

/** The name of the account in the table of holds. */
export function accountName({ familyId, period }: BudgetAccount): string {
  return `${PREFIX}${familyId}:${period}`
}

/** The rest of a named account and the ledger position that it includes; null if it is a company's. */
export function budgetSeen(
  views: Pick<GatewayViews, 'keys' | 'keySpend' | 'ledgerSeen'>,
  name: string,
): LedgerSeen | null {
  const family = familyIn(views, name)
  if (!family) return null
  const period = name.slice(name.lastIndexOf(':') + 1)
  const { position } = views.ledgerSeen(family.companyId)
  const { budget } = family
  if (budget === null || !isOf(budget.period, period)) return { balanceMicros: NO_LIMIT_MICROS, position }
  return { balanceMicros: budget.amountMicros - views.keySpend.unheldMicros(family.keyIds, period), position }
}

/** The keys of a named account; null if it is a company's. */
export function familyIn({ keys }: Pick<GatewayViews, 'keys'>, name: string): KeyFamily | null {
  return name.startsWith(PREFIX) ? keys.familyOf(name.slice(PREFIX.length, name.lastIndexOf(':'))) : null
}

function isOf(kind: NonNullable<KeyFamily['budget']>['period'], period: string): boolean {
  return kind === 'TOTAL' ? period === TOTAL : periodOf(kind, period) === period
}

export function budgetExceeded(message: string): GatewayError {
  return new GatewayError('keyBudgetExceeded', message)
}

export function budgetInWords({ amountMicros, period }: NonNullable<KeyFamily['budget']>): string {
  return `${formatCredits(amountMicros)} credits${BUDGETS[period]}`
}
