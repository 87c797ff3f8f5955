import type { Clock } from '../clock/clock.ts'
import type { RateLimits, WindowState } from './port.ts'

const WINDOW_MS = 60_000

/** The embedded default, for a single process. Only the current minute is kept. */
export function memoryRateLimits(clock: Clock): RateLimits {
  const counters = new Map<string, number>()
  let minute = Number.NaN
  const counted = (bucket: string, points: number): WindowState => {
    const now = Math.floor(clock.now() / WINDOW_MS)
    if (now !== minute) {
      counters.clear()
      minute = now
    }
    const used = (counters.get(bucket) ?? 0) + points
    if (points > 0) counters.set(bucket, used)
    return { used, resetAtMs: (minute + 1) * WINDOW_MS }
  }
  return {
    add: (bucket, points) => counted(bucket, points),
    read: (bucket) => counted(bucket, 0),
  }
}
