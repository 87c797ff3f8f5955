import type { RankedPair } from './pairRanking.ts'
import type { Changed, PendingPair } from './pendingPairs.ts'

/** The wait doubles after each round without success, up to the maximum. */
const BACKOFF_MS = { first: 1_000, max: 30_000 }

/** The pairs to score, the best first. Deferred pairs are tried again later. */
export class PairQueue {
  #ready: RankedPair[] = []
  #deferred = new Map<string, RankedPair>()
  #failedRounds = 0
  #retryAtMs = 0

  get size(): number {
    return this.#ready.length + this.#deferred.size
  }

  /** No pair can be taken now. */
  get isDrained(): boolean {
    return this.#ready.length === 0
  }

  /** When deferred pairs are due; null if there are none. */
  get retryAtMs(): number | null {
    return this.#deferred.size === 0 ? null : this.#retryAtMs
  }

  /** Takes pairs in order, the best last. Pairs that are already deferred are left out. */
  fill(pairs: RankedPair[]): void {
    this.#ready = this.#deferred.size === 0 ? pairs : pairs.filter((pair) => !this.#deferred.has(keyOf(pair)))
  }

  take(): RankedPair | undefined {
    return this.#ready.pop()
  }

  /** Returns a pair to the place that it was taken from. */
  putBack(pair: RankedPair): void {
    this.#ready.push(pair)
  }

  defer(pair: RankedPair): void {
    this.#deferred.set(keyOf(pair), pair)
  }

  /** Sets when deferred pairs are due: at the end of the breaker's cool-down, or after the backoff. */
  scheduleRetry({ nowMs, cooldownMs, hadSuccess }: { nowMs: number; cooldownMs: number; hadSuccess: boolean }): void {
    this.#failedRounds = hadSuccess ? 0 : this.#failedRounds + 1
    const backoffMs = Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** Math.max(0, this.#failedRounds - 1))
    this.#retryAtMs = nowMs + (cooldownMs > 0 ? cooldownMs : backoffMs)
  }

  /** Makes deferred pairs that are due available again, behind the ready ones. */
  retryDue(nowMs: number): void {
    if (this.#deferred.size === 0 || nowMs < this.#retryAtMs) return
    this.#ready = [...[...this.#deferred.values()].sort((a, b) => a.estimate - b.estimate), ...this.#ready]
    this.#deferred.clear()
  }

  /** Drops all pairs of these jobs and talents, because they have changed. */
  forget({ jobs, talents }: Changed): void {
    const holds = ({ job, talent }: PendingPair) => !jobs.has(job.id) && !talents.has(talent.id)
    this.#ready = this.#ready.filter(holds)
    for (const [key, pair] of this.#deferred) if (!holds(pair)) this.#deferred.delete(key)
  }

  clear(): void {
    this.#ready = []
    this.#deferred.clear()
    this.#failedRounds = 0
    this.#retryAtMs = 0
  }
}

function keyOf({ job, talent }: PendingPair): string {
  return `${job.id} ${talent.id}`
}
