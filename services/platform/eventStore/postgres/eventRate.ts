/** From this rate on, readers at the head look by themselves now and then instead of being told of every commit. */
export const HEAVY_EVENTS_PER_SECOND = 2_000
/** The rate is that of this time at least. */
export const EVENT_RATE_MS = 100

/** Whether events come so fast that it is better not to be told of each commit. */
export class EventRate {
  #position: number
  #atMs: number
  #isHeavy = false

  constructor(position: number, nowMs: number) {
    this.#position = position
    this.#atMs = nowMs
  }

  /** From the newest position that is known now: a burst of a few milliseconds is not yet a load. */
  isHeavy(position: number, nowMs: number): boolean {
    const elapsedMs = nowMs - this.#atMs
    if (elapsedMs < EVENT_RATE_MS) return this.#isHeavy
    this.#isHeavy = ((position - this.#position) * 1_000) / elapsedMs >= HEAVY_EVENTS_PER_SECOND
    this.#position = position
    this.#atMs = nowMs
    return this.#isHeavy
  }
}
