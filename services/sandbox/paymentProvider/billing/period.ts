import type { Recurring } from '../state/records.ts'

export const DAY_SECONDS = 24 * 60 * 60

/** The end of a period that starts at this second. If the last month has no such day, the period ends on its last day. */
export function periodEnd(start: number, { interval, interval_count }: Recurring): number {
  if (interval === 'day') return start + interval_count * DAY_SECONDS
  if (interval === 'week') return start + interval_count * 7 * DAY_SECONDS
  const from = new Date(start * 1000)
  const months = interval === 'year' ? interval_count * 12 : interval_count
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const end = new Date(from)
  end.setUTCFullYear(from.getUTCFullYear(), from.getUTCMonth() + months, Math.min(from.getUTCDate(), lastDay))
  return end.getTime() / 1000
}
