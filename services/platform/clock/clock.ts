import { setTimeout as timeout } from 'node:timers/promises'

/** Time comes in through this port, so that no test waits for a real minute. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Resolves after the time, or at once when the signal aborts. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  delay: (ms, signal) => timeout(ms, undefined, { signal }).catch(() => {}),
}

let lastMs = Number.NaN
let lastText = ''

/** Many events of one call, and of calls beside it, are of the same millisecond: the last text is kept. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}
