import type { Clock } from '../clock/clock.ts'

/** Once the store has said nothing about any append for this long, no call is admitted that would add one. */
export const APPENDS_SILENT_MS = 2_000
/** Nor when more than so many wait, and the oldest for this long. */
export const APPENDS_SLOW_MAX = 200
export const APPENDS_SLOW_MS = 5_000

/**
 * Knows whether the store keeps those waiting who have sent appends. While it does, every new one makes its return
 * harder. One that is pursued behind the back of its sender does not count: it may have trouble of its own.
 */
export class AppendsUnderWay {
  readonly #clock: Clock
  /** When each began, the oldest first. */
  readonly #waiting = new Set<{ readonly since: number }>()
  #answeredAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): () => void {
    const append = { since: this.#clock.now() }
    this.#waiting.add(append)
    return () => this.#waiting.delete(append)
  }

  /** The store has said something about an append, whatever it was. */
  answered(): void {
    this.#answeredAt = this.#clock.now()
  }

  /** It is away, and says nothing; or it is slow, and many wait. A single one may be slow for reasons of its own. */
  get isHeldUp(): boolean {
    const [oldest] = this.#waiting
    if (!oldest) return false
    const now = this.#clock.now()
    if (now - Math.max(oldest.since, this.#answeredAt) > APPENDS_SILENT_MS) return true
    return now - oldest.since > APPENDS_SLOW_MS && this.#waiting.size > APPENDS_SLOW_MAX
  }
}
