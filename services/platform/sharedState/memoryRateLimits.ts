import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Clock } from '../clock/clock.ts'
import type { RateLimits } from './port.ts'

const WINDOW_MS = 60_000

/** The embedded default: one process, so memory is shared enough. Counters of past minutes are dropped by the library. */
export function memoryRateLimits(clock: Clock): RateLimits {
  const counters = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: (2 * WINDOW_MS) / 1000 })
  const minute = () => Math.floor(clock.now() / WINDOW_MS)
  return {
    add: async (bucket, points) => {
      const window = minute()
      const { consumedPoints } = await counters.penalty(`${bucket}@${window}`, points)
      return { used: consumedPoints, resetAtMs: (window + 1) * WINDOW_MS }
    },
    read: async (bucket) => {
      const window = minute()
      const counted = await counters.get(`${bucket}@${window}`)
      return { used: counted?.consumedPoints ?? 0, resetAtMs: (window + 1) * WINDOW_MS }
    },
  }
}
