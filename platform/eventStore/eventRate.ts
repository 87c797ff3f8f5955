/** Above this rate, followers of a store wait longer for more events, so that one read or wake-up serves several. */
export const BUSY_EVENTS_PER_SECOND = 400
/** Above this rate, waking up for every few events costs more than the events themselves. */
export const HEAVY_EVENTS_PER_SECOND = 2_000
/** The shortest time over which the rate is measured. A burst of a few milliseconds does not count as load yet. */
export const EVENT_RATE_MS = 100

/** Measures how fast events arrive. */
export class EventRate {
  #count: number
  #atMs: number
  #perSecond = 0

  constructor(count: number, nowMs: number) {
    this.#count = count
    this.#atMs = nowMs
  }

  /** Takes the running total of events, counted from any start. */
  perSecond(count: number, nowMs: number): number {
    const elapsedMs = nowMs - this.#atMs
    if (elapsedMs < EVENT_RATE_MS) return this.#perSecond
    this.#perSecond = ((count - this.#count) * 1_000) / elapsedMs
    this.#count = count
    this.#atMs = nowMs
    return this.#perSecond
  }
}
