import { BreakerOpen } from '../../../platform/circuitBreaker/guardedCalls.ts'

/**
 * unreachable: no provider of the alias answered. refused: a provider refused our request. invalid: the answer cannot be
 * used. resting: no call was made, because the circuit breaker of the service or of every provider is open.
 */
export type ModelFailureReason = 'unreachable' | 'refused' | 'invalid' | 'resting'

/** A model gave no usable answer. The caller keeps its work and retries later. */
export class ModelFailure extends Error {
  readonly reason: ModelFailureReason
  /** When to retry, if known. */
  readonly retryAfterMs: number | null

  constructor(reason: ModelFailureReason, message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.name = 'ModelFailure'
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/** Whether the failure counts against the service. A request that it refused does not: the request was at fault. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof ModelFailure && error.reason === 'refused')
}

export function asModelFailure(error: unknown, service: string): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (error instanceof BreakerOpen) {
    return new ModelFailure(
      'resting',
      `the ${service} service was not called: ${error.message}`,
      error.cooldownLeftMs,
      error,
    )
  }
  return new ModelFailure('unreachable', `the ${service} service failed: ${(error as Error).message}`, null, error)
}
