import { Gauge } from 'prom-client'
import type { ConsumerLags } from '../../../capabilities/readModels/consumerLags.ts'
import { lagSeconds } from '../../../capabilities/readModels/lagSeconds.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'

export type LagSources = {
  readLags(): Promise<ConsumerLags>
  readonly store: Pick<EventStore, 'readAll'>
  readonly clock: Pick<Clock, 'now'>
}

/** The lags are read at each scrape. While they cannot be read there is no value, instead of an outdated one. */
export function registerLagMetrics(metrics: Metrics, { readLags, store, clock }: LagSources): void {
  const registers = [metrics]
  let reading: Promise<ConsumerLags> | null = null
  /** Both metrics of a scrape come from one reading. */
  const read = () => {
    reading ??= readLags().finally(() => {
      reading = null
    })
    return reading
  }
  new Gauge({
    name: 'tollgate_consumer_lag_events',
    help: 'Events in the store that a consumer has not processed, by partition of the feed',
    labelNames: ['consumer', 'partition'],
    registers,
    async collect() {
      const lags = await read().catch(() => null)
      this.reset()
      if (lags?.relay) this.set({ consumer: 'relay', partition: 'all' }, lags.relay.lagEvents)
      for (const { name, partitions } of lags?.projections ?? []) {
        for (const { partition, lagEvents } of partitions) {
          this.set({ consumer: `projector-${name}`, partition }, lagEvents)
        }
      }
    },
  })
  new Gauge({
    name: 'tollgate_consumer_lag_seconds',
    help: 'Age of the oldest event in the store that a consumer has not processed; 0 if there is none',
    labelNames: ['consumer'],
    registers,
    async collect() {
      const ages = await read()
        .then((lags) => lagSeconds(lags, store, clock.now()))
        .catch(() => [])
      this.reset()
      for (const { consumer, seconds } of ages) this.set({ consumer }, seconds)
    },
  })
}
