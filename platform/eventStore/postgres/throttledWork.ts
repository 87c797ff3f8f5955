import type { Clock, Timer } from '../../clock/clock.ts'

/** Work that runs at once after a quiet time, and otherwise at most once per interval, however often it is requested. */
export class ThrottledWork {
  readonly #intervalMs: number
  readonly #clock: Clock
  readonly #work: () => void
  #lastAt = Number.NEGATIVE_INFINITY
  #timer: Timer | null = null

  constructor(intervalMs: number, clock: Clock, work: () => void) {
    this.#intervalMs = intervalMs
    this.#clock = clock
    this.#work = work
  }

  request(): void {
    if (this.#timer) return
    const waitMs = this.#lastAt + this.#intervalMs - this.#clock.monotonicMs()
    if (waitMs <= 0) this.#run()
    else this.#timer = this.#clock.after(waitMs, () => this.#run())
  }

  /** Drops a request that still waits. */
  cancel(): void {
    this.#timer?.cancel()
    this.#timer = null
  }

  #run(): void {
    this.#timer = null
    this.#lastAt = this.#clock.monotonicMs()
    this.#work()
  }
}
