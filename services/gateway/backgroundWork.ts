import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'

/**
 * Work that a shutdown must not lose: requests in progress, and work that no caller waits for, such as records of
 * failures, reversals and token counts.
 */
export class BackgroundWork {
  readonly #pending = new Set<Promise<unknown>>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#pending.size
  }

  /** The code that adds a promise handles its rejection. */
  add(work: Promise<unknown>): void {
    this.#pending.add(work)
    const done = () => this.#pending.delete(work)
    work.then(done, done)
  }

  /** Waits for the work that is pending now. False if some of it is still pending after the time. */
  settled(msMax: number): Promise<boolean> {
    return settlesWithin(Promise.allSettled([...this.#pending]), msMax, this.#clock)
  }
}
