import type { Clock } from '../platform/clock/clock.ts'
import { settlesWithin } from '../platform/clock/within.ts'

/**
 * Work that a shutdown must not lose: requests that are being served, and what no caller waits for, as records of
 * failures, reversals and counted tokens.
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

  /** The promise must not reject: who adds it handles its failure. */
  add(work: Promise<unknown>): void {
    this.#pending.add(work)
    const done = () => this.#pending.delete(work)
    work.then(done, done)
  }

  /** Waits for what is pending now, and no longer than this. False: some of it still is. */
  settled(msMax: number): Promise<boolean> {
    return settlesWithin(Promise.allSettled([...this.#pending]), msMax, this.#clock)
  }
}
