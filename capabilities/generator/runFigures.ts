const WINDOW_SECONDS = 60

export type RunFigures = {
  readonly processed: number
  readonly errors: number
  /** The average time per pair: the duration of a batch, from start to event, divided by its pairs. */
  readonly avgMs: number
  readonly perMinute: number
  readonly perSecond: number
  /** The share of attempted pairs that failed. */
  readonly errorPercent: number
  readonly lastProcessedAtMs: number | null
}

/** Counts what a generator has done since it was started. */
export class RunCounter {
  readonly #startedAtMs: number
  #processed = 0
  #errors = 0
  #busyMs = 0
  #lastProcessedAtMs: number | null = null
  /** Pairs of the last minute, by second. */
  readonly #bySecond = new Map<number, number>()

  constructor(startedAtMs: number) {
    this.#startedAtMs = startedAtMs
  }

  batch({ processed, errors, ms, nowMs }: { processed: number; errors: number; ms: number; nowMs: number }): void {
    this.#processed += processed
    this.#errors += errors
    this.#busyMs += ms
    if (processed > 0) this.#lastProcessedAtMs = nowMs
    const second = Math.floor(nowMs / 1000)
    this.#bySecond.set(second, (this.#bySecond.get(second) ?? 0) + processed)
    for (const old of this.#bySecond.keys()) if (old <= second - WINDOW_SECONDS) this.#bySecond.delete(old)
  }

  read(nowMs: number): RunFigures {
    const from = Math.floor(nowMs / 1000) - WINDOW_SECONDS
    let recent = 0
    for (const [second, pairs] of this.#bySecond) if (second > from) recent += pairs
    const seconds = Math.min(WINDOW_SECONDS, Math.max(1, (nowMs - this.#startedAtMs) / 1000))
    const tried = this.#processed + this.#errors
    return {
      processed: this.#processed,
      errors: this.#errors,
      avgMs: this.#processed === 0 ? 0 : rounded(this.#busyMs / this.#processed),
      perMinute: recent,
      perSecond: rounded(recent / seconds),
      errorPercent: tried === 0 ? 0 : rounded((100 * this.#errors) / tried),
      lastProcessedAtMs: this.#lastProcessedAtMs,
    }
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
