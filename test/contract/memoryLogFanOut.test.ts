import { memoryLogFanOut } from '../../platform/sharedState/memorySharedState.ts'
import { logFanOutContract } from './logFanOut.ts'

logFanOutContract('the fan-out in memory', async () => {
  const fanOut = memoryLogFanOut()
  return { open: () => fanOut, close: async () => fanOut.close() }
})
