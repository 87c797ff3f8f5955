import type { Clock } from '../../platform/clock/clock.ts'

/** The read models need a moment to show what was done. */
const DONE_PAUSE_MS = 3_000
const FAILED_PAUSE_MS = 15_000

/** Things that are left alone for a while after an attempt, so that one that fails does not hold up the others. */
export class Pauses {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #until = new Map<string, number>()

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  /** Those that are not to be attempted now. */
  ids(): string[] {
    const nowMs = this.#clock.monotonicMs()
    for (const [id, untilMs] of this.#until) if (untilMs <= nowMs) this.#until.delete(id)
    return [...this.#until.keys()]
  }

  async attempt(id: string, work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    try {
      await work()
      this.#until.set(id, this.#clock.monotonicMs() + DONE_PAUSE_MS)
    } catch (error) {
      this.#until.set(id, this.#clock.monotonicMs() + FAILED_PAUSE_MS)
      failed(error)
    }
  }
}
