import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { Counter, Gauge } from 'prom-client'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Database } from '../../projections/runner/ports.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { SettingError } from '../platform/config/settingError.ts'
import type { EventStore } from '../platform/eventStore/port.ts'
import { kafkaPublisher } from '../platform/feed/kafkaPublisher.ts'
import { RelayReplaced, readFeedId } from '../platform/feed/relayProgress.ts'
import { LEASE_RENEWAL_MS } from '../platform/leases/leases.ts'
import { whileLeading } from '../platform/leases/whileLeading.ts'
import type { Log } from '../platform/log/log.ts'
import type { Metrics } from '../platform/metrics/metrics.ts'
import type { RunningService } from '../platform/service.ts'
import { publishAll } from './publishing.ts'

/** How long the relay leads without being heard of, and how often it is. */
export const RELAY_LEASE_MS = 3_000

export type RelayParts = {
  readonly brokers: readonly string[]
  readonly database: Database
  /** Without upcasting: events go out as they are stored, also those that only a newer program understands. */
  readonly store: EventStore
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** How long a leader that is not heard of keeps the others waiting. */
  readonly leaseMs?: number
}

export const RELAY_LEASE = 'relay'

/** Publishes the store to Kafka. Of several relays one leads, and another takes over when it is gone. */
export async function startRelay(parts: RelayParts): Promise<RunningService> {
  const { brokers, database, store, clock, log, metrics, leaseMs = RELAY_LEASE_MS } = parts
  const feedId = await readFeedId(database)
  await refuseWrongTopics(parts, feedId)
  const figures = relayFigures(metrics, store)
  const stopping = new AbortController()
  const running = whileLeading(
    {
      database,
      clock,
      name: RELAY_LEASE,
      holder: `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`,
      ttlMs: leaseMs,
      renewalMs: Math.min(LEASE_RENEWAL_MS, leaseMs / 3),
      onLeading: (leads) => {
        figures.leads.set(leads ? 1 : 0)
        log.info({ leads }, leads ? 'this relay leads' : 'this relay leads no longer')
      },
      onTrouble: (error) => {
        if (error instanceof RelayReplaced) log.info({ err: error }, 'another relay has taken over')
        else log.warn({ err: error }, 'the relay failed and tries again')
      },
    },
    async (leadership) => {
      // A producer of its own for each term: after a failure, nobody knows which of its messages are there.
      const publisher = kafkaPublisher({ brokers, feedId, log })
      try {
        await publishAll({ database, store, publisher, clock, onPublished: figures.published }, leadership)
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
      // A request that Kafka does not answer ends by itself, but it may take longer than anybody waits.
      await Promise.race([running, clock.delay(timeoutMs)])
    },
  }
}

/** What a person has to mend stops the start; a Kafka that is not there yet does not. */
async function refuseWrongTopics({ brokers, log }: RelayParts, feedId: string): Promise<void> {
  const publisher = kafkaPublisher({ brokers, feedId, log })
  try {
    await publisher.prepareTopics()
  } catch (error) {
    if (error instanceof SettingError) throw error
    log.warn({ err: error }, 'Kafka is not ready; the relay goes on trying')
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
      // A store that is away is told by other figures.
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
