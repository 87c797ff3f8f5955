import type { Clock } from '../../../platform/clock/clock.ts'

/** How long a stream is read after its caller has left, once a choice has finished, so that its usage is charged. */
export const USAGE_AFTER_DISCONNECT_MS = 10_000

export type LateRead = { end(): void }

/** Answers that are still read although their callers have left. */
export class LateReads {
  readonly #clock: Clock
  readonly #reads = new Set<() => void>()
  #givenUp = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#reads.size
  }

  /** Calls `giveUp` when the time is over, unless the read has ended before; null for a read that may take any time. */
  begin(giveUp: () => void, msMax: number | null = USAGE_AFTER_DISCONNECT_MS): LateRead {
    if (this.#givenUp) giveUp()
    this.#reads.add(giveUp)
    const timer = msMax === null ? null : this.#clock.after(msMax, giveUp)
    return {
      end: () => {
        timer?.cancel()
        this.#reads.delete(giveUp)
      },
    }
  }

  /** For a drain that cannot wait any longer: these calls, and later ones, are recorded as failed. */
  giveUp(): void {
    this.#givenUp = true
    for (const giveUp of this.#reads) giveUp()
  }
}
