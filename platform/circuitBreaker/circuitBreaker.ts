import type { Clock } from '../clock/clock.ts'

/** Consecutive failures that open a breaker. */
export const BREAKER_FAILURES_MAX = 5

export type BreakerState = 'closed' | 'half-open' | 'open'

/** From best to worst. */
const SEVERITY: readonly BreakerState[] = ['closed', 'half-open', 'open']

export type BreakerOptions = {
  readonly clock: Clock
  readonly cooldownMs: number
  /** How long a running probe keeps others from starting; without a limit by default. */
  readonly probeMsMax?: number
  readonly onChange?: (state: 'closed' | 'open') => void
}

/**
 * Stops calls to a service that fails. Five consecutive failures open the breaker; after the cool-down one call is let
 * through as a probe, which closes the breaker or opens it again. docs/decisions/0005-own-circuit-breaker.md says why
 * this is not a library.
 *
 * The caller reports how each call went, because there are more outcomes than success and failure: a call that its
 * caller abandoned says nothing about the service, and an answer that has begun may still break off.
 */
export class CircuitBreaker {
  readonly #clock: Clock
  readonly #cooldownMs: number
  readonly #probeMsMax: number
  readonly #onChange: (state: 'closed' | 'open') => void
  #isOpen = false
  /** On the monotonic clock: setting the wall clock back must not prolong the cool-down. */
  #openedAtMs = 0
  /** Failures since the last complete answer. */
  #failures = 0
  /** The call that was let through after the cool-down, until it ends. */
  #probe: object | null = null
  #probedAtMs = 0

  constructor({ clock, cooldownMs, probeMsMax = Number.POSITIVE_INFINITY, onChange = () => {} }: BreakerOptions) {
    this.#clock = clock
    this.#cooldownMs = cooldownMs
    this.#probeMsMax = probeMsMax
    this.#onChange = onChange
  }

  /** Becomes half-open when the cool-down ends, even if no call arrives. */
  get state(): BreakerState {
    if (!this.#isOpen) return 'closed'
    return this.cooldownLeftMs > 0 ? 'open' : 'half-open'
  }

  /** Time until a probe may start; 0 when the breaker is closed or half-open, even while a probe is running. */
  get cooldownLeftMs(): number {
    return this.#isOpen ? Math.max(0, this.#openedAtMs + this.#cooldownMs - this.#clock.monotonicMs()) : 0
  }

  /** Whether the call may be made. The first call that asks a half-open breaker becomes its probe. */
  tryStart(call: object): boolean {
    if (!this.#isOpen) return true
    if (this.cooldownLeftMs > 0) return false
    const nowMs = this.#clock.monotonicMs()
    if (this.#probe !== null && nowMs - this.#probedAtMs < this.#probeMsMax) return false
    this.#probe = call
    this.#probedAtMs = nowMs
    return true
  }

  /** The answer has begun. The answer to a probe closes the breaker, but if it breaks off the breaker opens at once. */
  answered(call: object): void {
    if (this.#probe !== call) return
    this.#probe = null
    this.#isOpen = false
    this.#failures = BREAKER_FAILURES_MAX - 1
    this.#onChange('closed')
  }

  /** Returns the number of failures that the answer cleared, for `disproved`. */
  completed(): number {
    const failures = this.#failures
    // Calls that started before the breaker opened do not close it; only the probe does.
    if (!this.#isOpen) this.#failures = 0
    return failures
  }

  /** A complete answer turned out to be false: it counts as one more failure, on top of those it had cleared. */
  disproved(failuresBefore: number): void {
    if (this.#isOpen) return
    this.#failures = Math.max(this.#failures, failuresBefore) + 1
    if (this.#failures >= BREAKER_FAILURES_MAX) this.#open()
  }

  failed(call: object): void {
    if (this.#isOpen ? this.#probe === call : ++this.#failures >= BREAKER_FAILURES_MAX) this.#open()
  }

  /** The call ended and says nothing about the service. If it was the probe, the next call becomes the probe. */
  abandoned(call: object): void {
    if (this.#probe === call) this.#probe = null
  }

  #open(): void {
    this.#isOpen = true
    this.#probe = null
    this.#openedAtMs = this.#clock.monotonicMs()
    this.#onChange('open')
  }
}

/** The worst of several states; closed if there are none. */
export function worstState(states: Iterable<BreakerState>): BreakerState {
  let worst: BreakerState = 'closed'
  for (const state of states) if (SEVERITY.indexOf(state) > SEVERITY.indexOf(worst)) worst = state
  return worst
}
