import { periodOf } from '../../../domain/apiKey/budgetPeriod.ts'
import { formatCredits } from '../../../domain/credits.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import { GatewayError } from '../gatewayError.ts'
import type { GatewayViews } from '../views/gatewayViews.ts'
import type { KeyFamily, LiveKey } from '../views/keys.ts'

/** The refusal of a call of a key whose budget is used up, whichever of the keys that share it has spent it. */
export function budgetRefusal(
  { views, clock }: { readonly views: Pick<GatewayViews, 'keySpend'>; readonly clock: Clock },
  { family }: Pick<LiveKey, 'family'>,
): GatewayError | null {
  if (family.budget === null) return null
  const period = periodOf(family.budget.period, isoTime(clock.now()))
  if (views.keySpend.spentMicros(family.keyIds, period) < family.budget.amountMicros) return null
  return budgetExceeded(`The budget of this key, ${budgetInWords(family.budget)}, is used up.`)
}

export function budgetExceeded(message: string): GatewayError {
  return new GatewayError('keyBudgetExceeded', message)
}

const WORDS = { DAY: ' for a day in UTC', MONTH: ' for a month in UTC', TOTAL: ' in total' } as const

export function budgetInWords({ amountMicros, period }: NonNullable<KeyFamily['budget']>): string {
  return `${formatCredits(amountMicros)} credits${WORDS[period]}`
}
