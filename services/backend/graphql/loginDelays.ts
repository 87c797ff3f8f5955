import type { Clock } from '../../platform/clock/clock.ts'

/** Wrong passwords that cost no delay: people mistype. */
export const FREE_FAILURES = 5
const FIRST_DELAY_MS = 1_000
const DELAY_MS_MAX = 15 * 60_000
/** Failures are forgotten after this long without another one. */
const FORGOTTEN_AFTER_MS = 60 * 60_000
const PAIRS_MAX = 10_000

type Failures = { count: number; lastAtMs: number; retryAtMs: number }

/**
 * Delays log-ins that fail again and again, by client address and account together: guesses from one address do not
 * lock out the owner of the account, who comes from another one. Each further failure doubles the delay.
 */
export class LoginDelays {
  readonly #clock: Clock
  /** In the order of the last failure, so that the first entry is the one to forget. */
  readonly #failures = new Map<string, Failures>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the next attempt has to wait; 0 if it may be made now. */
  waitMs(pair: string): number {
    const failures = this.#failures.get(pair)
    return failures ? Math.max(0, failures.retryAtMs - this.#clock.monotonicMs()) : 0
  }

  failed(pair: string): void {
    const nowMs = this.#clock.monotonicMs()
    const before = this.#failures.get(pair)
    const count = (before && nowMs - before.lastAtMs < FORGOTTEN_AFTER_MS ? before.count : 0) + 1
    const delayMs = count < FREE_FAILURES ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES), DELAY_MS_MAX)
    this.#failures.delete(pair)
    this.#failures.set(pair, { count, lastAtMs: nowMs, retryAtMs: nowMs + delayMs })
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= PAIRS_MAX) break
      this.#failures.delete(oldest)
    }
  }

  succeeded(pair: string): void {
    this.#failures.delete(pair)
  }
}
