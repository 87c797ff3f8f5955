import type { Clock } from '../clock/clock.ts'
import { MemoryCompanyChanges } from './companyChanges/memoryCompanyChanges.ts'
import { MemoryHolds } from './holds/memoryHolds.ts'
import { LogReaders } from './logReaders.ts'
import { memoryRateLimits } from './memoryRateLimits.ts'
import type { LogFanOut, SharedState } from './port.ts'

/** The embedded default, for a single process. */
export function memorySharedState(clock: Clock): SharedState {
  const logFanOut = memoryLogFanOut()
  return {
    rateLimits: memoryRateLimits(clock),
    holds: new MemoryHolds(clock),
    companyChanges: new MemoryCompanyChanges(),
    logFanOut,
    health: () => ({ status: 'healthy', gateways: 1, latency_ms: 0 }),
    close: async () => logFanOut.close(),
  }
}

/** Every reader is in this process. */
export function memoryLogFanOut(): LogFanOut & { close(): void } {
  const readers = new LogReaders()
  return {
    get hasReaders() {
      return readers.size > 0
    },
    publish: (entry) => readers.deliver(entry),
    subscribe: () => readers.open(),
    close: () => readers.close(),
  }
}
