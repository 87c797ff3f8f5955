import { hostname } from 'node:os'
import { Counter, Gauge } from 'prom-client'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'
import { kafkaPublisher } from '../../platform/feed/kafkaPublisher.ts'
import { RelayReplaced, readFeedId } from '../../platform/feed/relayProgress.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import { LEASE_RENEWAL_MS } from '../../platform/leases/leases.ts'
import { whileLeading } from '../../platform/leases/whileLeading.ts'
import type { Log } from '../../platform/logger/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { RunningService } from '../../platform/service.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import type { Database } from '../../projections/runner/ports.ts'
import { publishAll } from './publishing.ts'

/** How long a relay that no longer renews its lease remains the leader. */
export const RELAY_LEASE_MS = 3_000

export type RelayOptions = {
  readonly brokers: readonly string[]
  readonly database: Database
  /** Without upcasting: events are published as stored, including those that only a newer version understands. */
  readonly store: EventStore
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing?: Tracing | null
  readonly leaseMs?: number
}

export const RELAY_LEASE = 'relay'

/** Publishes the event store to Kafka. One of several relays leads, and another takes over when it is gone. */
export async function startRelay(options: RelayOptions): Promise<RunningService> {
  const { brokers, database, store, clock, ids, log, metrics, tracing, leaseMs = RELAY_LEASE_MS } = options
  const feedId = await readFeedId(database)
  await refuseWrongTopics(options, feedId)
  const figures = relayFigures(metrics, store)
  const stopping = new AbortController()
  const running = whileLeading(
    {
      database,
      clock,
      name: RELAY_LEASE,
      holder: `${hostname()} ${process.pid} ${ids.uuid().slice(0, 8)}`,
      ttlMs: leaseMs,
      renewalMs: Math.min(LEASE_RENEWAL_MS, leaseMs / 3),
      onLeading: (leads) => {
        figures.leads.set(leads ? 1 : 0)
        log.info({ leads }, leads ? 'relay became the leader' : 'relay is no longer the leader')
      },
      onTrouble: (error) => {
        if (error instanceof RelayReplaced) log.info({ err: error }, 'another relay took over')
        else log.warn({ err: error }, 'relay failed, retrying')
      },
    },
    async (leadership) => {
      // A new producer for each term, because after a failure it is unknown which messages of the last one were written.
      const publisher = kafkaPublisher({ brokers, feedId, log })
      try {
        await publishAll({ database, store, publisher, clock, tracing, onPublished: figures.published }, leadership)
      } finally {
        await publisher.close().catch(() => {})
      }
    },
    stopping.signal,
  )
  return {
    name: 'relay',
    url: null,
    drain: async (timeoutMs) => {
      stopping.abort()
      // A request that Kafka does not answer times out, but possibly later than this.
      await settlesWithin(running, timeoutMs, clock)
    },
  }
}

/** Topics that an operator must fix stop the start; a Kafka that is not ready yet does not. */
async function refuseWrongTopics({ brokers, log }: RelayOptions, feedId: string): Promise<void> {
  const publisher = kafkaPublisher({ brokers, feedId, log })
  try {
    await publisher.prepareTopics()
  } catch (error) {
    if (error instanceof SettingError) throw error
    log.warn({ err: error }, 'Kafka is not ready, the relay keeps trying')
  } finally {
    await publisher.close().catch(() => {})
  }
}

function relayFigures(metrics: Metrics, store: EventStore) {
  let reached: Position | null = null
  const leads = new Gauge({
    name: 'tollgate_relay_leads',
    help: '1 for the relay that publishes, 0 for those that wait to take over',
    registers: [metrics],
  })
  leads.set(0)
  const events = new Counter({
    name: 'tollgate_relay_events_total',
    help: 'Events published and acknowledged by this relay',
    registers: [metrics],
  })
  new Gauge({
    name: 'tollgate_relay_lag_events',
    help: 'Events in the store that this relay has not published; 0 for one that has never led',
    registers: [metrics],
    async collect() {
      // Other metrics report a store that is unavailable.
      const lag = reached === null ? 0 : await store.eventsAfter(reached).catch(() => null)
      if (lag !== null) this.set(lag)
    },
  })
  return {
    leads,
    published: (position: Position, count: number) => {
      reached = position === BEGINNING ? reached : position
      events.inc(count)
    },
  }
}
