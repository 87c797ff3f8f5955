import { memoryRateLimits } from '../../services/platform/sharedState/memoryRateLimits.ts'
import { rateLimitsContract } from './rateLimits.ts'

rateLimitsContract('counters in memory', async () => ({ open: memoryRateLimits, close: async () => {} }))
