import type { Provider } from './providersFile.ts'

/** Refused, timed out or broken off; left in peace by its breaker; or more calls than it has connections for. */
export type UnreachableReason = 'provider_unreachable' | 'provider_resting' | 'provider_busy'

/** The provider did not answer, or was not even asked. */
export class ProviderUnreachable extends Error {
  readonly reason: UnreachableReason
  /** When it is worth another try, where that is known. */
  readonly retryAfterMs: number | null

  constructor(
    provider: Provider,
    cause: Error,
    reason: UnreachableReason = 'provider_unreachable',
    retryAfterMs: number | null = null,
  ) {
    super(`provider ${provider.name} did not answer: ${cause.message}`, { cause })
    this.name = 'ProviderUnreachable'
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }
}
