import { Counter, Gauge } from 'prom-client'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { carrierOf } from '../../projections/runner/carrier.ts'
import { readCheckpoint } from '../../projections/runner/checkpoints.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { ProjectionVersionDiffers, prepareProjection, runProjection } from '../../projections/runner/runner.ts'
import type { RunnerOptions } from '../../projections/runner/runnerOptions.ts'
import { SharedTransactions } from '../../projections/runner/sharedTransactions.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { EventStore } from '../platform/eventStore/port.ts'
import type { Runtime } from '../platform/runtime.ts'
import type { RunningService } from '../platform/service.ts'
import { eventAttributes, traceOfEvent } from '../platform/tracing/eventTrace.ts'
import type { Tracing } from '../platform/tracing/port.ts'

const CARRIER = carrierOf('projector', PROJECTIONS)

/** Runs every read model. A model of another version stops with an error; the others continue. */
export async function startProjector({
  engines,
  clock,
  log,
  metrics,
  tracing,
}: Pick<Runtime, 'engines' | 'clock' | 'log' | 'metrics' | 'tracing'>): Promise<RunningService> {
  const { database, store, feed } = engines
  const applied = new Counter({
    name: 'tollgate_projection_events_total',
    help: 'Events applied to a read model',
    labelNames: ['projection'],
    registers: [metrics],
  })
  const stopped = new Gauge({
    name: 'tollgate_projection_stopped',
    help: '1 for a read model that must be rebuilt before it continues',
    labelNames: ['projection'],
    registers: [metrics],
  })
  new Gauge({
    name: 'tollgate_projection_lag_events',
    help: 'Events in the store, of any kind, that a read model has not passed in all its partitions',
    labelNames: ['projection'],
    registers: [metrics],
    async collect() {
      for (const { name } of PROJECTIONS) {
        // Other metrics show that the database or the store is not reachable.
        const lag = await lagOf(database, store, name).catch(() => null)
        if (lag !== null) this.set({ projection: name }, lag)
      }
    },
  })
  const transactions = new SharedTransactions(database, feed.idsAreUnique)
  const stopping = new AbortController()
  const running = PROJECTIONS.map(async (projection) => {
    const { name } = projection
    stopped.set({ projection: name }, 0)
    try {
      await runProjection(
        {
          ...{ projection, database, feed, clock, carrier: CARRIER, transactions },
          onAdvanced: (_partition, _position, events) => applied.inc({ projection: name }, events),
          onTrouble: (error) => log.warn({ err: error, projection: name }, 'projection failed, retrying'),
          ...(tracing && { onApplied: spansOf(tracing, clock, name) }),
        },
        stopping.signal,
      )
    } catch (error) {
      stopped.set({ projection: name }, 1)
      log.error({ err: error, projection: name }, 'projection stopped')
    }
  })
  return {
    name: 'projector',
    url: null,
    drain: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** In the trace of each traced event, a span for the transaction that applied it to the read model. */
function spansOf(tracing: Tracing, clock: Clock, name: string): RunnerOptions['onApplied'] {
  return (events, beganAtMs) => {
    const nowMs = clock.now()
    for (const event of events) {
      const parent = traceOfEvent(event, nowMs)
      if (parent === undefined) continue
      const attributes = { 'tollgate.read_model': name, ...eventAttributes(event) }
      tracing.begin(`project ${name}`, { kind: 'consumer', parent, attributes, beganAtMs }).end()
    }
  }
}

async function lagOf(sql: Sql, store: EventStore, projection: string): Promise<number | null> {
  const positions = Object.values((await readCheckpoint(sql, projection))?.positions ?? {}).toSorted()
  return positions[0] === undefined ? null : store.eventsAfter(positions[0])
}

/** Creates the tables of new read models, so that readers find them from the start. */
export async function prepareReadModels({ engines, log }: Pick<Runtime, 'engines' | 'log'>): Promise<void> {
  for (const projection of PROJECTIONS) {
    try {
      await prepareProjection(engines.database, projection, engines.feed.partitionsOf(projection.categories))
    } catch (error) {
      if (!(error instanceof ProjectionVersionDiffers)) throw error
      log.error({ err: error, projection: projection.name }, 'read model must be rebuilt')
    }
  }
}
