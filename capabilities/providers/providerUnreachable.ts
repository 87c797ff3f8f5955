import type { Provider } from './providersFile.ts'

/**
 * provider_unreachable: refused, timed out or broken off. provider_resting: its circuit breaker is open. provider_busy:
 * the company has more calls in flight than its share of the connections.
 */
export type UnreachableReason = 'provider_unreachable' | 'provider_resting' | 'provider_busy'

/** The provider did not answer, or the call was not sent. */
export class ProviderUnreachable extends Error {
  readonly reason: UnreachableReason
  /** When to retry, if known. */
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
