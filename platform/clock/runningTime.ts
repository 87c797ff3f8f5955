import type { Clock, Timer } from './clock.ts'

const TICK_MS = 100
/** A tick that comes later than this shows that the process did not run meanwhile. */
const TICK_MS_MAX = 250

/**
 * Measures how long this process has waited for something, without the time in which it did not run itself: stopped by
 * the host, by a signal, or busy with one thing. What it waits for may have been stopped as well, or answered long ago
 * into a socket that has not been read yet. The ticks run only as long as there is something to measure.
 */
export class RunningTime {
  readonly #clock: Clock
  readonly #isNeeded: () => boolean
  #timer: Timer | null = null
  #ranMs = 0
  #tickedAtMs = 0

  constructor(clock: Clock, isNeeded: () => boolean) {
    this.#clock = clock
    this.#isNeeded = isNeeded
  }

  /** Only the difference of two values means something, and only if the time was needed all the while. */
  get ms(): number {
    if (!this.#timer) return this.#ranMs
    return this.#ranMs + Math.min(this.#clock.monotonicMs() - this.#tickedAtMs, TICK_MS_MAX)
  }

  /** To be called whenever the time begins to be needed. */
  start(): void {
    if (this.#timer) return
    this.#tickedAtMs = this.#clock.monotonicMs()
    this.#timer = this.#clock.every(TICK_MS, () => this.#tick())
  }

  #tick(): void {
    this.#ranMs = this.ms
    this.#tickedAtMs = this.#clock.monotonicMs()
    if (this.#isNeeded()) return
    this.#timer?.cancel()
    this.#timer = null
  }
}
