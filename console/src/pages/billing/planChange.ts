import type { Plan } from './billingWords.ts'

export type PlanChange =
  /** The difference for the rest of the period, to be paid and to be granted at once. */
  { readonly starts: 'now'; readonly price: number; readonly credits: number } | { readonly starts: 'next period' }

type Terms = Pick<Plan, 'price' | 'creditsPerPeriod'>

/** What a change means for the present period, which is a calendar month. The payment provider counts by the second. */
export function planChange(from: Terms, to: Terms, periodEnd: string, nowMs: number): PlanChange {
  if (to.price <= from.price || to.creditsPerPeriod < from.creditsPerPeriod) return { starts: 'next period' }
  const endMs = Date.parse(periodEnd)
  const share = Math.min(1, Math.max(0, (endMs - nowMs) / (endMs - monthBefore(endMs))))
  return {
    starts: 'now',
    price: (to.price - from.price) * share,
    credits: Math.round((to.creditsPerPeriod - from.creditsPerPeriod) * share),
  }
}

function monthBefore(endMs: number): number {
  const start = new Date(endMs)
  const day = start.getUTCDate()
  start.setUTCMonth(start.getUTCMonth() - 1)
  // 31 March minus a month is not 3 March.
  if (start.getUTCDate() !== day) start.setUTCDate(0)
  return start.getTime()
}
