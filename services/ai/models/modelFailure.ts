import { BreakerOpen } from '../../platform/breakers/modelBreaker.ts'

/**
 * unreachable: no provider of the alias answered; refused: our question was at fault; invalid: an answer came that is
 * of no use; resting: nobody was asked, because the breaker is open.
 */
export type ModelFailureReason = 'unreachable' | 'refused' | 'invalid' | 'resting'

/** A model gave no usable answer. Whoever asked keeps its work and tries again later. */
export class ModelFailure extends Error {
  readonly reason: ModelFailureReason
  /** When it is worth another try, where that is known. */
  readonly retryAfterMs: number | null

  constructor(reason: ModelFailureReason, message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause })
    this.name = 'ModelFailure'
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}

/** What counts against a service: it was asked something sensible and did not answer, or with nonsense. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof ModelFailure && error.reason === 'refused')
}

export function asModelFailure(error: unknown, service: string): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (error instanceof BreakerOpen) {
    return new ModelFailure('resting', `the ${service} service was not asked: ${error.message}`, error.restMs, error)
  }
  return new ModelFailure('unreachable', `the ${service} service failed: ${(error as Error).message}`, null, error)
}
