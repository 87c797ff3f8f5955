import type { SoakCall } from './steadyLoad.ts'

/** What became of the calls of one key in one whole minute. */
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
 * By the minute in which they ended: the limit is reached in the first half of each, so that one that was admitted in a
 * minute also ends in it. Only whole minutes between the two times, and none that a time without Redis reaches into.
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
