import type { GuessedPair } from './guesses.ts'
import type { Changed, PendingPair } from './pendingPairs.ts'

/** Waits longer after each round in vain, and no longer than this. */
const BACKOFF_MS = { first: 1_000, most: 30_000 }

/** What is to be scored: the best guesses first, and those that were tried in vain once more, later. */
export class PairQueue {
  #ready: GuessedPair[] = []
  #deferred = new Map<string, GuessedPair>()
  #roundsInVain = 0
  #retryAtMs = 0

  get size(): number {
    return this.#ready.length + this.#deferred.size
  }

  /** Nothing can be taken now. */
  get isDrained(): boolean {
    return this.#ready.length === 0
  }

  /** When those that were tried in vain are due; null: there are none. */
  get retryAtMs(): number | null {
    return this.#deferred.size === 0 ? null : this.#retryAtMs
  }

  /** Ordered, the best last. What waits for its next try is in the queue already. */
  fill(pairs: GuessedPair[]): void {
    this.#ready = this.#deferred.size === 0 ? pairs : pairs.filter((pair) => !this.#deferred.has(keyOf(pair)))
  }

  take(): GuessedPair | undefined {
    return this.#ready.pop()
  }

  /** Back to where it was taken from. */
  putBack(pair: GuessedPair): void {
    this.#ready.push(pair)
  }

  defer(pair: GuessedPair): void {
    this.#deferred.set(keyOf(pair), pair)
  }

  /** After a batch that deferred pairs: when to try them again. `restMs`: before that nobody is asked anyway. */
  settle({ nowMs, cooldownMs, hadSuccess }: { nowMs: number; cooldownMs: number; hadSuccess: boolean }): void {
    this.#roundsInVain = hadSuccess ? 0 : this.#roundsInVain + 1
    const backoffMs = Math.min(BACKOFF_MS.most, BACKOFF_MS.first * 2 ** Math.max(0, this.#roundsInVain - 1))
    this.#retryAtMs = nowMs + (cooldownMs > 0 ? cooldownMs : backoffMs)
  }

  /** Those that are due can be taken again, after what is ready. */
  retryDue(nowMs: number): void {
    if (this.#deferred.size === 0 || nowMs < this.#retryAtMs) return
    this.#ready = [...[...this.#deferred.values()].sort((a, b) => a.guess - b.guess), ...this.#ready]
    this.#deferred.clear()
  }

  /** What was read of these no longer holds. */
  forget({ jobs, talents }: Changed): void {
    const holds = ({ job, talent }: PendingPair) => !jobs.has(job.id) && !talents.has(talent.id)
    this.#ready = this.#ready.filter(holds)
    for (const [key, pair] of this.#deferred) if (!holds(pair)) this.#deferred.delete(key)
  }

  clear(): void {
    this.#ready = []
    this.#deferred.clear()
    this.#roundsInVain = 0
    this.#retryAtMs = 0
  }
}

function keyOf({ job, talent }: PendingPair): string {
  return `${job.id} ${talent.id}`
}
