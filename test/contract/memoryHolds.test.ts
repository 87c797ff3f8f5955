import { systemClock } from '../../platform/clock/clock.ts'
import { emptyHoldState, MemoryHolds } from '../../platform/sharedState/holds/memoryHolds.ts'
import { holdsContract } from './holds.ts'

holdsContract('holds in memory', async () => {
  // Its engine is the process itself: other times, the same state.
  const state = emptyHoldState()
  return { open: (times) => new MemoryHolds(systemClock, times, state), close: async () => {} }
})
