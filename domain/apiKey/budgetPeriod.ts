import type { BudgetPeriod } from '../../contracts/events/apiKey.ts'
import { unexpected } from '../decider.ts'

export const TOTAL = 'total'

/** The period of this kind that contains a time: a UTC day (2026-03-01), a month (2026-03) or `total`. */
export function periodOf(kind: BudgetPeriod, time: string): string {
  // Cuts the ISO text instead of parsing it, because this runs for every call.
  switch (kind) {
    case 'DAY':
      return time.slice(0, 10)
    case 'MONTH':
      return time.slice(0, 7)
    case 'TOTAL':
      return TOTAL
    default:
      return unexpected(kind)
  }
}

/** Every period that contains a time. */
export function periodsOf(time: string): string[] {
  return [periodOf('DAY', time), periodOf('MONTH', time), TOTAL]
}
