import type { Clock, Timer } from '../../clock/clock.ts'

/** How many requests per window one network may send over connections of unidentified callers. */
export const UNIDENTIFIED_REQUESTS_PER_WINDOW = 100
export const PACE_WINDOW_MS = 100

/** Limits how fast requests of unidentified networks are read. Excess requests wait for the next window. */
export class RequestPace {
  readonly #clock: Clock
  readonly #counts = new Map<string, number>()
  #waiting: (() => void)[] = []
  #windows: Timer | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  hasRoom(network: string): boolean {
    return (this.#counts.get(network) ?? 0) < UNIDENTIFIED_REQUESTS_PER_WINDOW
  }

  count(network: string): void {
    this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1)
    this.#windows ??= this.#clock.every(PACE_WINDOW_MS, () => this.#nextWindow())
  }

  /** Calls back in the next window. Callers take turns: the one that has waited longest goes first. */
  wait(resume: () => void): void {
    this.#waiting.push(resume)
  }

  #nextWindow(): void {
    if (this.#counts.size === 0) {
      this.#windows?.cancel()
      this.#windows = null
    }
    this.#counts.clear()
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}
