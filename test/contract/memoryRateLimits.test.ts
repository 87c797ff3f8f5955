import { memoryRateLimits } from '../../services/platform/sharedState/memoryRateLimits.ts'
import type { RateLimits } from '../../services/platform/sharedState/port.ts'
import { rateLimitsContract } from './rateLimits.ts'

rateLimitsContract('counters in memory', async () => {
  // Its engine is the process itself.
  let limits: RateLimits | null = null
  return {
    open: (clock) => {
      limits ??= memoryRateLimits(clock)
      return limits
    },
    close: async () => {},
  }
})
