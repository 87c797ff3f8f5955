export type PausesOptions = {
  readonly nowMs: () => number
  /** How long a thing is left alone after a successful attempt, until the read models show its effect. */
  readonly doneMs: number
  readonly failedMs: number
}

/** Leaves things alone for a while after an attempt, so that one that keeps failing does not hold up the others. */
export class Pauses {
  readonly #options: PausesOptions
  readonly #until = new Map<string, number>()

  constructor(options: PausesOptions) {
    this.#options = options
  }

  /** Things that should not be attempted now. */
  ids(): string[] {
    const nowMs = this.#options.nowMs()
    for (const [id, untilMs] of this.#until) if (untilMs <= nowMs) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  /** `work` may return another pause than `doneMs`. */
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
