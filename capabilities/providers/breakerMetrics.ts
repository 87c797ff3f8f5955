import { Gauge } from 'prom-client'
import type { BreakerState } from '../../platform/circuitBreaker/circuitBreaker.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

const GAUGE_VALUES: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 }

/** The states are read at each scrape, so a breaker shows as half-open once its cool-down has ended, even before a call. */
export function registerBreakerStates(registry: Metrics, read: () => ReadonlyMap<string, BreakerState>): void {
  new Gauge({
    name: 'tollgate_provider_breaker_state',
    help: 'Circuit breaker of each provider: 0 closed, 1 half-open, 2 open',
    labelNames: ['provider'],
    registers: [registry],
    collect() {
      // Removes providers that are no longer in the table.
      this.reset()
      for (const [provider, state] of read()) this.labels(provider).set(GAUGE_VALUES[state])
    },
  })
}
