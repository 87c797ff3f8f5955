/** How far the server's clock is ahead of the browser's. */
let aheadMs = 0

/**
 * Notes the server's time from an answer. It was read at some moment between request and answer, so assuming the midpoint is
 * wrong by at most half of that time.
 */
export function noteServerTime(now: string, sentMs: number, receivedMs: number): void {
  const serverMs = Date.parse(now)
  if (!Number.isNaN(serverMs)) aheadMs = serverMs - (sentMs + receivedMs) / 2
}

/**
 * The only source of the current time in the console. It is the server's time, because days, periods and expiries follow the
 * server's clock and the browser's may be wrong.
 */
export function nowMs(): number {
  return Date.now() + aheadMs
}

export const DAY_MS = 86_400_000

/** The start of the UTC day this many days before today. The backend counts in UTC days, too. */
export function utcDayStart(daysBefore: number): string {
  const today = Math.floor(nowMs() / DAY_MS) * DAY_MS
  return new Date(today - daysBefore * DAY_MS).toISOString()
}

/**
 * The last `count` UTC days including today, as API arguments. The explicit end leaves out calls dated in the future, which no
 * day of a chart would show.
 */
export function lastDays(count: number): { readonly from: string; readonly to: string } {
  return { from: utcDayStart(count - 1), to: utcDayStart(-1) }
}

/** The time this many milliseconds ago. */
export function isoBefore(ms: number): string {
  return new Date(nowMs() - ms).toISOString()
}
