export type PausesOptions = {
  readonly nowMs: () => number
  /** How long a thing is left alone after an attempt that succeeded: the read models need a moment to show what was done. */
  readonly doneMs: number
  readonly failedMs: number
}

/** Things that are left alone for a while after an attempt, so that one that fails does not hold up the others. */
export class Pauses {
  readonly #options: PausesOptions
  readonly #until = new Map<string, number>()

  constructor(options: PausesOptions) {
    this.#options = options
  }

  /** Those that are not to be attempted now. */
  ids(): string[] {
    const nowMs = this.#options.nowMs()
    for (const [id, untilMs] of this.#until) if (untilMs <= nowMs) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  /** `work` may return how long the thing is left alone, if that is not `doneMs`. */
  async attempt(
    id: string,
    work: () => Promise<void> | Promise<number>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    const { nowMs, doneMs, failedMs } = this.#options
    try {
      const pauseMs = await work()
      this.#until.set(id, nowMs() + (typeof pauseMs === 'number' ? pauseMs : doneMs))
    } catch (error) {
      this.#until.set(id, nowMs() + failedMs)
      failed(error)
    }
  }
}
