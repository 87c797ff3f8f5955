import type { AloneTime } from './aloneTimes.ts'
import type { SoakCall } from './steadyLoad.ts'

/** The outcomes of the calls of one key in one complete minute. */
export type LimitWindow = {
  /** ISO 8601. */
  readonly minute: string
  readonly offered: number
  readonly admitted: number
  /** Cut, so it is unknown whether they were admitted; or sent before the minute, so they may count for the one before. */
  readonly unknown: number
  /** How many calls each gateway admitted while it was without Redis, if it was in this minute. */
  readonly alone: readonly number[]
}

/** Calls that were refused although the limit was not reached, as a part of it. */
export const UNUSED_MAX = 0.02
const MINUTE_MS = 60_000
const REFUSED = 429

export type Seen = {
  readonly from: number
  readonly to: number
  /** When Redis was down. */
  readonly without: readonly { from: number; to: number }[]
  readonly aloneTimes: readonly AloneTime[]
}

/**
 * Calls are grouped by the minute in which they ended: the limit is reached in the first half, so that a call admitted in
 * a minute also ends in it, but for the minute in which the load begins. Only complete minutes between the two times count,
 * without those in which Redis was down.
 */
export function limitWindows(calls: readonly SoakCall[], { from, to, without, aloneTimes }: Seen): LimitWindow[] {
  const windows: LimitWindow[] = []
  for (let start = Math.ceil(from / MINUTE_MS) * MINUTE_MS; start + MINUTE_MS <= to; start += MINUTE_MS) {
    const end = start + MINUTE_MS
    if (without.some((gap) => gap.from < end && gap.to > start)) continue
    const ended = calls.filter(({ endedAt }) => endedAt >= start && endedAt < end)
    const known = ended.filter(({ sentAt, status }) => sentAt >= start && status !== null)
    const admitted = known.filter(({ status }) => status !== REFUSED)
    const unknown = ended.length - known.length
    const alone = admittedAlone(
      admitted,
      aloneTimes.filter((time) => time.from < end && time.to > start),
    )
    const minute = new Date(start).toISOString()
    windows.push({ minute, offered: ended.length, admitted: admitted.length, unknown, alone })
  }
  return windows
}

/** The calls of each gateway that was alone which it may have admitted in that time. */
function admittedAlone(admitted: readonly SoakCall[], times: readonly AloneTime[]): number[] {
  return [...new Set(times.map(({ gateway }) => gateway))].map((gateway) => {
    const own = times.filter((time) => time.gateway === gateway)
    return admitted.filter(
      (call) => call.gateway === gateway && own.some(({ from, to }) => call.sentAt <= to && call.endedAt >= from),
    ).length
  })
}

/**
 * With Redis the limit holds to the call. Each gateway that was without it may exceed the limit by its share, and may
 * refuse calls before the limit is reached.
 */
export function isHeld({ admitted, unknown, alone }: LimitWindow, limit: number, gateways: number): boolean {
  const share = Math.max(1, Math.floor(limit / gateways))
  const beyond = alone.reduce((sum, count) => sum + Math.min(count, share), 0)
  const isUsed = alone.length > 0 || admitted + unknown >= limit * (1 - UNUSED_MAX)
  return isUsed && admitted <= limit + beyond
}
