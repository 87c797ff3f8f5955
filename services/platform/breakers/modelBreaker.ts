import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
} from 'cockatiel'
import { BREAKER_FAILURES_MAX } from '../providers/circuitBreaker.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

/** From the best to the worst. */
const SEVERITY: readonly BreakerState[] = ['closed', 'half-open', 'open']

export type ModelBreakerOptions = {
  readonly cooldownMs: number
  /** Whether a failure tells that the service is down; one that our own question caused does not. */
  readonly isOutage: (error: unknown) => boolean
  readonly onChange?: (state: BreakerState) => void
}

/** No call was made: the service failed too often and rests. */
export class BreakerOpen extends Error {
  readonly restMs: number

  constructor(restMs: number) {
    super(`it failed ${BREAKER_FAILURES_MAX} times in a row and rests for ${Math.ceil(restMs / 1000)} s more`)
    this.name = 'BreakerOpen'
    this.restMs = restMs
  }
}

/**
 * Keeps background work away from an AI service that fails. The library leaves OPEN only with the next call, and by
 * Date.now(); here the state reads half-open as soon as the rest is over, also when nobody calls.
 */
export class ModelBreaker {
  readonly #policy: CircuitBreakerPolicy
  readonly #cooldownMs: number
  #openedAtMs = 0

  constructor({ cooldownMs, isOutage, onChange = () => {} }: ModelBreakerOptions) {
    this.#cooldownMs = cooldownMs
    this.#policy = circuitBreaker(handleWhen(isOutage), {
      breaker: new ConsecutiveBreaker(BREAKER_FAILURES_MAX),
      halfOpenAfter: cooldownMs,
    })
    this.#policy.onBreak(() => {
      this.#openedAtMs = Date.now()
    })
    this.#policy.onStateChange((state) => onChange(nameOf(state)))
  }

  get state(): BreakerState {
    const state = nameOf(this.#policy.state)
    return state === 'open' && this.restMs === 0 ? 'half-open' : state
  }

  /** How long no call is let through. */
  get restMs(): number {
    if (this.#policy.state !== CircuitState.Open) return 0
    return Math.max(0, this.#openedAtMs + this.#cooldownMs - Date.now())
  }

  /** Half-open, the first call is the probe, and others wait for how it ends. */
  async execute<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#policy.execute(call)
    } catch (error) {
      throw isBrokenCircuitError(error) ? new BreakerOpen(this.restMs) : error
    }
  }
}

export function worstState(states: readonly BreakerState[]): BreakerState {
  return states.reduce((worst, state) => (SEVERITY.indexOf(state) > SEVERITY.indexOf(worst) ? state : worst), 'closed')
}

function nameOf(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed'
  return state === CircuitState.HalfOpen ? 'half-open' : 'open'
}
