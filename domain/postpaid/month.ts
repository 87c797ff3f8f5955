/** Months in UTC, written as YYYY-MM, which sort as texts. */

/** How many months are closed at a time, for a company that was neglected for longer. */
const MONTHS_AT_ONCE_MAX = 120

export function monthOf(time: string): string {
  return time.slice(0, 7)
}

export function monthAfter(month: string): string {
  return shifted(month, 1)
}

export function monthBefore(month: string): string {
  return shifted(month, -1)
}

function shifted(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const months = year * 12 + (number - 1) + by
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`
}

export type PostpaidPeriod = {
  readonly since: string
  /** When the company left POSTPAID; null if it is POSTPAID. */
  readonly until: string | null
  /** The newest closed month; null if none is. */
  readonly lastClosed: string | null
}

/**
 * The past months that are still to be closed, oldest first. They are closed in this order and none is closed again, so
 * setting a clock back closes nothing.
 */
export function monthsToClose({ since, until, lastClosed }: PostpaidPeriod, now: string): string[] {
  const ended = monthBefore(monthOf(now))
  const last = until !== null && monthOf(until) < ended ? monthOf(until) : ended
  const isLater = lastClosed !== null && lastClosed >= monthOf(since)
  const months: string[] = []
  for (let month = isLater ? monthAfter(lastClosed) : monthOf(since); month <= last; month = monthAfter(month)) {
    months.push(month)
    if (months.length === MONTHS_AT_ONCE_MAX) break
  }
  return months
}
