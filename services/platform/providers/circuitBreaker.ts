import type { Clock } from '../clock/clock.ts'

/** Failures in a row after which a provider is left in peace. */
export const BREAKER_FAILURES_MAX = 5

export type BreakerState = 'closed' | 'half-open' | 'open'

export type BreakerOptions = {
  readonly clock: Clock
  readonly cooldownMs: number
  readonly onChange?: (state: 'closed' | 'open') => void
}

/**
 * Keeps calls away from a provider that fails them. Five failures in a row open it; after a rest one call is let through
 * as a trial, which closes it or opens it anew.
 *
 * By hand, because libraries wrap a call in promises of their own, read the system's time, and know success and failure
 * only: a call that its caller gave up says nothing of the provider, and an answer that began has yet to come to its
 * end. Here a call costs one look at a field while the breaker is closed.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #cooldownMs: number
  readonly #onChange: (state: 'closed' | 'open') => void
  #isOpen = false
  #openedAtMs = 0
  /** Without a complete answer between them. */
  #failures = 0
  /** The one call that an open breaker has let through. */
  #trial: object | null = null

  constructor({ clock, cooldownMs, onChange = () => {} }: BreakerOptions) {
    this.#clock = clock
    this.#cooldownMs = cooldownMs
    this.#onChange = onChange
  }

  get state(): BreakerState {
    if (!this.#isOpen) return 'closed'
    return this.restMs > 0 ? 'open' : 'half-open'
  }

  /** How long no call is let through; 0 also while a trial is under way. */
  get restMs(): number {
    return this.#isOpen ? Math.max(0, this.#openedAtMs + this.#cooldownMs - this.#clock.now()) : 0
  }

  admits(call: object): boolean {
    if (!this.#isOpen) return true
    if (this.#trial !== null || this.restMs > 0) return false
    this.#trial = call
    return true
  }

  /** The answer has begun. That ends a trial, but if this answer breaks off the next one must wait again. */
  answered(call: object): void {
    if (this.#trial !== call) return
    this.#trial = null
    this.#isOpen = false
    this.#failures = BREAKER_FAILURES_MAX - 1
    this.#onChange('closed')
  }

  completed(): void {
    // What began before it opened does not close it again: the trial does.
    if (!this.#isOpen) this.#failures = 0
  }

  failed(call: object): void {
    if (this.#isOpen ? this.#trial === call : ++this.#failures >= BREAKER_FAILURES_MAX) this.#open()
  }

  /** The call ended without telling anything of the provider; if it was the trial, the next call is. */
  letGo(call: object): void {
    if (this.#trial === call) this.#trial = null
  }

  #open(): void {
    this.#isOpen = true
    this.#trial = null
    this.#openedAtMs = this.#clock.now()
    this.#onChange('open')
  }
}
