import type { Position } from '../../contracts/position.ts'
import type { Clock } from '../clock/clock.ts'
import type { ChangedCategory, ChangedPositions, CompanyChanges } from './companyChanges/port.ts'
import { MemoryHolds } from './holds/memoryHolds.ts'
import { LogReaders } from './logReaders.ts'
import type { LogFanOut, RateLimits, SharedState, WindowState } from './port.ts'

const WINDOW_MS = 60_000

/** Beyond this many companies, the one that changed first is forgotten. */
const COMPANIES_MAX = 10_000

export class MemoryCompanyChanges implements CompanyChanges {
  readonly #changes = new Map<string, ChangedPositions>()

  async record(companyId: string, category: ChangedCategory, position: Position): Promise<void> {
    const known = this.#changes.get(companyId) ?? {}
    if ((known[category] ?? '') >= position) return
    this.#changes.delete(companyId)
    this.#changes.set(companyId, { ...known, [category]: position })
    const [oldest] = this.#changes.keys()
    if (this.#changes.size > COMPANIES_MAX && oldest !== undefined) this.#changes.delete(oldest)
  }

  async read(companyId: string): Promise<ChangedPositions> {
    return this.#changes.get(companyId) ?? {}
  }
}

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

/** Only the current minute is kept. */
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
