import type { SoakCall } from './steadyLoad.ts'

/** The outcomes of the calls of one key in one complete minute. */
export type LimitWindow = {
  /** ISO 8601. */
  readonly minute: string
  readonly offered: number
  readonly admitted: number
  /** Cut, so it is unknown whether they were admitted. */
  readonly unknown: number
}

export const TOLERANCE = 0.02
const MINUTE_MS = 60_000
const REFUSED = 429

/**
 * Calls are grouped by the minute in which they ended: the limit is reached in the first half, so that a call admitted in
 * a minute also ends in it. Only complete minutes between the two times count, without those in which Redis was down.
 */
export function limitWindows(
  calls: readonly SoakCall[],
  { from, to, without }: { from: number; to: number; without: readonly { from: number; to: number }[] },
): LimitWindow[] {
  const windows: LimitWindow[] = []
  for (let start = Math.ceil(from / MINUTE_MS) * MINUTE_MS; start + MINUTE_MS <= to; start += MINUTE_MS) {
    const end = start + MINUTE_MS
    if (without.some((gap) => gap.from < end && gap.to > start)) continue
    const ended = calls.filter(({ endedAt }) => endedAt >= start && endedAt < end)
    const admitted = ended.filter(({ status }) => status !== null && status !== REFUSED).length
    const unknown = ended.filter(({ status }) => status === null).length
    windows.push({ minute: new Date(start).toISOString(), offered: ended.length, admitted, unknown })
  }
  return windows
}

export function isHeld({ admitted, unknown }: LimitWindow, limit: number): boolean {
  return admitted <= limit * (1 + TOLERANCE) && admitted + unknown >= limit * (1 - TOLERANCE)
}
