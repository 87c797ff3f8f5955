import { periodOf, TOTAL } from '../../../domain/apiKey/budgetPeriod.ts'
import { formatCredits } from '../../../domain/credits.ts'
import type { GatewayError } from '../gatewayError.ts'
import type { HeldAccount } from '../holds/holdKeeper.ts'
import { beyondCreditLimit, insufficient } from '../holds/holdRefusals.ts'
import type { Budget } from '../views/budgets.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import { type BoundBudget, type BoundCall, boundBudgets, budgetExceeded, inWords, spendAt } from './boundBudgets.ts'

/** More than any call costs, for a budget that was removed while a call was in flight. Shared state counts in doubles. */
const NO_LIMIT_MICROS = 1_000_000_000_000_000n

type Views = Pick<GatewayViews, 'budgets' | 'spend' | 'companies' | 'ledgerSeen'>

/** What a call that is admitted at this time is held against: the balance of its company, and the rest of its budgets. */
export function heldAccounts(views: Views, call: BoundCall, admittedAt: string): HeldAccount[] {
  const budgets = boundBudgets(views, call).map((bound) => restOf(views, call, bound, admittedAt))
  return [balanceOf(views, call.companyId), ...budgets]
}

function balanceOf({ ledgerSeen, companies }: Views, companyId: string): HeldAccount {
  return {
    name: companyId,
    leftMicros: () => ledgerSeen(companyId).balanceMicros,
    refusal: (...of) =>
      companies.creditLimitMicros(companyId) === null ? insufficient(...of) : beyondCreditLimit(...of),
  }
}

function restOf(views: Views, call: BoundCall, { level, id, budget }: BoundBudget, admittedAt: string): HeldAccount {
  const period = periodOf(budget.period, admittedAt)
  return {
    name: `${level}-budget:${id}:${period}`,
    leftMicros: () => {
      // It may have been removed meanwhile, or got another amount or period.
      const now = boundBudgets(views, call).find((bound) => bound.level === level)
      if (now === undefined || !isOf(now.budget.period, period)) return NO_LIMIT_MICROS
      return now.budget.amountMicros - spendAt(views, level).unheldMicros(now.spenders, period)
    },
    refusal: (...amounts) => notCovered({ level, budget }, ...amounts),
  }
}

function isOf(kind: Budget['period'], period: string): boolean {
  return kind === 'TOTAL' ? period === TOTAL : periodOf(kind, period) === period
}

function notCovered(
  bound: Pick<BoundBudget, 'level' | 'budget'>,
  amountMicros: bigint,
  leftMicros: bigint,
  heldMicros: bigint,
): GatewayError {
  const left = formatCredits(leftMicros - heldMicros)
  return budgetExceeded(
    bound,
    `This call may cost up to ${formatCredits(amountMicros)} credits, and ${left} are left of the budget of ` +
      `${inWords(bound)}. Ask for fewer tokens, or retry when the calls in flight have ended.`,
  )
}
