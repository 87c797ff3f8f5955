import { memoryRateLimits } from '../../platform/sharedState/memorySharedState.ts'
import type { RateLimits } from '../../platform/sharedState/port.ts'
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
