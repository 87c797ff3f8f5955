/** How far the server's clock is ahead of the browser's. */
let aheadMs = 0

/**
 * Notes the time by the server's clock, which an answer contains. It was read at some moment between the request and the
 * answer; the middle of the two is off by half of that time at most.
 */
export function noteServerTime(now: string, sentMs: number, receivedMs: number): void {
  const serverMs = Date.parse(now)
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - (sentMs + receivedMs) / 2
}

/**
 * The one place where the console asks for the time. It is the server's: days, periods and expiries are counted by its clock,
 * and a browser whose clock is wrong would ask for other ones.
 */
export function nowMs(): number {
  return Date.now() + aheadMs
}

export const DAY_MS = 86_400_000

/** The beginning of the UTC day that lies so many days before today. The backend counts by UTC days, too. */
export function utcDayStart(daysBefore: number): string {
  const today = Math.floor(nowMs() / DAY_MS) * DAY_MS
  return new Date(today - daysBefore * DAY_MS).toISOString()
}

/**
 * So many UTC days, the last of which is today, as the API takes them. The end is named so that calls that are dated after the
 * clock are in no figure: no day of a chart would show them.
 */
export function lastDays(count: number): { readonly from: string; readonly to: string } {
  return { from: utcDayStart(count - 1), to: utcDayStart(-1) }
}

/** The moment that lies so many milliseconds before now. */
export function isoBefore(ms: number): string {
  return new Date(nowMs() - ms).toISOString()
}
