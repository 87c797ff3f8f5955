import { Gauge } from 'prom-client'
import type { Metrics } from '../metrics/metrics.ts'
import type { BreakerState } from './circuitBreaker.ts'

const FIGURES: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 }

/** Looked at when somebody asks, so that a breaker whose rest is over reads so, although no call has come since. */
export function tellBreakerStates(registry: Metrics, read: () => ReadonlyMap<string, BreakerState>): void {
  new Gauge({
    name: 'tollgate_provider_breaker_state',
    help: 'Circuit breaker of each provider: 0 closed, 1 half-open, 2 open',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      // A provider that is gone is no longer told.
      this.reset()
      for (const [provider, state] of read()) this.labels(provider).set(FIGURES[state])
    },
  })
}
