import { Gauge } from 'prom-client'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { ConsumerLags } from './consumerLags.ts'

/** The lags are read at each scrape. While they cannot be read there is no value, instead of an outdated one. */
export function registerLagMetrics(metrics: Metrics, readLags: () => Promise<ConsumerLags>): void {
  new Gauge({
    name: 'tollgate_consumer_lag_events',
    help: 'Events in the store that a consumer has not processed, by partition of the feed',
    labelNames: ['consumer', 'partition'],
    registers: [metrics],
    async collect() {
      const lags = await readLags().catch(() => null)
      this.reset()
      if (lags?.relay) this.set({ consumer: 'relay', partition: 'all' }, lags.relay.lagEvents)
      for (const { name, partitions } of lags?.projections ?? []) {
        for (const { partition, lagEvents } of partitions) {
          this.set({ consumer: `projector-${name}`, partition }, lagEvents)
        }
      }
    },
  })
}
