import type { Clock } from '../clock/clock.ts'

/**
 * Knows for how long the store has kept appends waiting, those included that are pursued behind the back of whoever sent
 * them. While it does, every new one makes its return harder.
 */
export class AppendsUnderWay {
  readonly #clock: Clock
  /** When each append began whose sender waits for it, the oldest first. */
  readonly #waiting = new Set<{ readonly since: number }>()
  #pursued = 0
  /** When there was last nothing under way, or an answer. */
  #silentSince = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  begin(): () => void {
    const now = this.#clock.now()
    if (this.#waiting.size + this.#pursued === 0) this.#silentSince = now
    const append = { since: now }
    this.#waiting.add(append)
    return () => this.#waiting.delete(append)
  }

  /** However it ends: whoever does not care must not crash the process when it ends badly. */
  pursued(pursuit: Promise<unknown>): void {
    this.#pursued++
    const ended = () => {
      this.#pursued--
    }
    pursuit.then(ended, ended)
  }

  /** The store has said something about an append, whatever it was. */
  answered(): void {
    this.#silentSince = this.#clock.now()
  }

  /** For how long the store has said nothing about any of them; 0 when nothing is under way. */
  get silentMs(): number {
    return this.#waiting.size + this.#pursued === 0 ? 0 : this.#clock.now() - this.#silentSince
  }

  /** How old the oldest is whose sender waits; 0 when nobody waits. */
  get oldestMs(): number {
    const [oldest] = this.#waiting
    return oldest ? this.#clock.now() - oldest.since : 0
  }
}
