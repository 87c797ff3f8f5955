import { LIMITS } from '../../../../contracts/limits.ts'

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
    if (elapsedMs < LIMITS.eventRateMs) return this.#isHeavy
    this.#isHeavy = ((position - this.#position) * 1_000) / elapsedMs >= LIMITS.heavyEventsPerSecond
    this.#position = position
    this.#atMs = nowMs
    return this.#isHeavy
  }
}
