/** From this rate on the live tail polls instead of listening for a notification of every commit. */
export const HEAVY_EVENTS_PER_SECOND = 2_000
/** The shortest time over which the rate is measured. */
export const EVENT_RATE_MS = 100

/** Measures how fast events arrive, to decide whether a notification of every commit costs too much. */
export class EventRate {
  #position: number
  #atMs: number
  #isHeavy = false

  constructor(position: number, nowMs: number) {
    this.#position = position
    this.#atMs = nowMs
  }

  /** Takes the newest known position. A burst of a few milliseconds does not count as load yet. */
  isHeavy(position: number, nowMs: number): boolean {
    const elapsedMs = nowMs - this.#atMs
    if (elapsedMs < EVENT_RATE_MS) return this.#isHeavy
    this.#isHeavy = ((position - this.#position) * 1_000) / elapsedMs >= HEAVY_EVENTS_PER_SECOND
    this.#position = position
    this.#atMs = nowMs
    return this.#isHeavy
  }
}
