import { Gauge } from 'prom-client'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { GatewayViews } from './gatewayViews.ts'

/** Measured at each scrape. If the store does not answer, the metric has no value instead of an old one. */
export function observeViewLag(
  metrics: Metrics,
  views: Pick<GatewayViews, 'reached'>,
  store: Pick<EventStore, 'eventsAfter'>,
): void {
  new Gauge({
    name: 'tollgate_gateway_view_lag_events',
    help: 'Events in the store that a view of this gateway has not passed, by the category it follows',
    labelNames: ['category', 'partition'],
    registers: [metrics],
    async collect() {
      const lags = await Promise.all(
        Object.entries(views.reached()).flatMap(([category, positions]) =>
          Object.entries(positions).map(async ([partition, position]) => ({
            labels: { category, partition },
            events: await store.eventsAfter(position),
          })),
        ),
      ).catch(() => [])
      this.reset()
      for (const { labels, events } of lags) this.set(labels, events)
    },
  })
}
