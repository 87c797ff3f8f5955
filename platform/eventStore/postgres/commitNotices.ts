import type { Clock } from '../../clock/clock.ts'
import { settlesWithin } from '../../clock/within.ts'
import { ThrottledWork } from './throttledWork.ts'

/** The shortest time between two notifications of other processes. */
export const COMMIT_NOTICES_INTERVAL_MS = 50
/** How long a closing store waits for the last notification. */
const LAST_NOTICE_MS = 1_000

/**
 * Notifies the live tails of other processes of new events: after the callers have continued, and once for many
 * commits. Nothing depends on it: a tail that misses a notification finds the events when it polls.
 */
export class CommitNotices {
  readonly #notify: (position: number) => Promise<unknown>
  readonly #throttled: ThrottledWork
  #stored = 0
  #notified = 0
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #clock: Clock

  constructor(notify: (position: number) => Promise<unknown>, clock: Clock) {
    this.#notify = notify
    this.#clock = clock
    this.#throttled = new ThrottledWork(COMMIT_NOTICES_INTERVAL_MS, clock, () => this.#send())
  }

  /** Everything up to this position is stored. */
  stored(position: number): void {
    this.#stored = Math.max(this.#stored, position)
    this.#throttled.request()
  }

  /** Sends pending notifications. */
  async close(): Promise<void> {
    this.#throttled.cancel()
    this.#send()
    await settlesWithin(Promise.all(this.#underWay), LAST_NOTICE_MS, this.#clock)
  }

  #send(): void {
    if (this.#stored <= this.#notified) return
    this.#notified = this.#stored
    const sent: Promise<unknown> = this.#notify(this.#stored)
      .catch(() => {})
      .finally(() => this.#underWay.delete(sent))
    this.#underWay.add(sent)
  }
}
