/** The one place where the console asks for the time. */
export function nowMs(): number {
  return Date.now()
}

export const DAY_MS = 86_400_000

/** The beginning of the UTC day that lies so many days before today. The backend counts by UTC days, too. */
export function utcDayStart(daysBefore: number): string {
  const today = Math.floor(nowMs() / DAY_MS) * DAY_MS
  return new Date(today - daysBefore * DAY_MS).toISOString()
}

/** The moment that lies so many milliseconds before now. */
export function isoBefore(ms: number): string {
  return new Date(nowMs() - ms).toISOString()
}
