import { utcDayStart } from '../../api/now.ts'

/** The month of the reconciliation, as a URL search parameter: YYYY-MM in UTC. */
export type PaymentsSearch = { readonly month?: string }

const MONTH = /^20\d{2}-(0[1-9]|1[0-2])$/

export function paymentsSearch({ month }: Record<string, unknown>): PaymentsSearch {
  return typeof month === 'string' && MONTH.test(month) ? { month } : {}
}

export function thisMonth(): string {
  return utcDayStart(0).slice(0, 7)
}

/** A month that can be compared: written like one, and not in the future. */
export function isPastMonth(month: string, now: string): boolean {
  return MONTH.test(month) && month <= now
}

export function monthBefore(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7)
}
