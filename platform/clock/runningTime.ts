import type { Clock, Timer } from './clock.ts'

const TICK_MS = 100
/** A tick that comes later than this shows that the process was not running meanwhile. */
const TICK_MS_MAX = 250

/**
 * Measures how long this process has waited for something, not counting time in which it did not run: stopped by the
 * host or a signal, or blocked by other work. Whatever it waits for may have been stopped too, or may have answered
 * into a socket that has not been read yet. The ticks run only while something is being measured.
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

  /** Only differences of two values are meaningful, and only if measuring did not stop in between. */
  get ms(): number {
    if (!this.#timer) return this.#ranMs
    return this.#ranMs + Math.min(this.#clock.monotonicMs() - this.#tickedAtMs, TICK_MS_MAX)
  }

  /** Call this whenever measuring begins. */
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
