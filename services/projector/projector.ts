import { Counter, Gauge } from 'prom-client'
import type { Runtime } from '../../capabilities/installation.ts'
import { readConsumerLags } from '../../capabilities/readModels/consumerLags.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { settlesWithin } from '../../platform/clock/within.ts'
import type { RunningService } from '../../platform/service.ts'
import { eventAttributes, traceOfEvent } from '../../platform/tracing/eventTrace.ts'
import type { Tracing } from '../../platform/tracing/port.ts'
import { HISTORY_PROJECTIONS, PROJECTIONS } from '../../projections/catalogue.ts'
import type { Projection } from '../../projections/projection.ts'
import { carrierOf } from '../../projections/runner/carrier.ts'
import { readCheckpoints } from '../../projections/runner/checkpoints.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { type RebuildOptions, rebuildOutdated } from '../../projections/runner/rebuild.ts'
import { RebuildUnderWay } from '../../projections/runner/rebuildBeside.ts'
import { isPrepared, prepareProjection, RebuildNeeded, runProjection } from '../../projections/runner/runner.ts'
import type { RunnerOptions } from '../../projections/runner/runnerOptions.ts'
import { SharedTransactions } from '../../projections/runner/sharedTransactions.ts'
import { refreshStatistics } from '../../projections/runner/statistics.ts'
import { catchUpPersistently } from './catchUpPersistently.ts'

const CARRIER = carrierOf('projector', PROJECTIONS)

/**
 * Runs every read model. One of an older version is rebuilt beside its old rows, one after the other; one of a newer version
 * waits until it is of this program's version again. The others continue meanwhile.
 */
export async function startProjector({
  config,
  engines,
  clock,
  ids,
  log,
  metrics,
  tracing,
}: Pick<Runtime, 'config' | 'engines' | 'clock' | 'ids' | 'log' | 'metrics' | 'tracing'>): Promise<RunningService> {
  const { database, store, feed } = engines
  const usesKafka = config.KAFKA_BROKERS !== undefined
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
      // Other metrics show that the database or the store is not reachable.
      const lags = await readConsumerLags({ database, store, usesKafka }).catch(() => null)
      for (const { name, lagEvents } of lags?.projections ?? []) {
        if (lagEvents !== null) this.set({ projection: name }, lagEvents)
      }
    },
  })
  const transactions = new SharedTransactions(database, feed.idsAreUnique)
  const stopping = new AbortController()
  const onAdvanced = (projection: string, events: number) => applied.inc({ projection }, events)
  const onTrouble = (projection: string, error: unknown) =>
    log.warn({ err: error, projection }, 'projection failed, retrying')
  let lastRebuild: Promise<unknown> = Promise.resolve()
  // One at a time: each of them holds a connection besides those that it works on.
  const rebuildInTurn = (projection: Projection): Promise<unknown> => {
    const rebuild = lastRebuild.then(async () => {
      stopping.signal.throwIfAborted()
      log.info({ projection: projection.name, version: projection.version }, 'read model is being rebuilt')
      await rebuildOutdated({ ...rebuildOf(projection, { engines, clock, ids }), signal: stopping.signal })
    })
    lastRebuild = rebuild.catch(() => {})
    return rebuild
  }
  const run = async (projection: Projection) => {
    const { name } = projection
    stopped.set({ projection: name }, 0)
    await runProjection(
      {
        ...{ projection, database, feed, clock, carrier: CARRIER, transactions },
        rebuild: () => rebuildInTurn(projection),
        onStopped: (error) => {
          stopped.set({ projection: name }, 1)
          log.error({ err: error, projection: name }, 'projection stopped')
        },
        onResumed: () => {
          stopped.set({ projection: name }, 0)
          log.info({ projection: name }, 'projection continues')
        },
        onAdvanced: (_partition, _position, events) => onAdvanced(name, events),
        onTrouble: (error) => onTrouble(name, error),
        ...(tracing && { onApplied: spansOf(tracing, clock, name) }),
      },
      stopping.signal,
    )
  }
  let caughtUpEvents = 0
  const onStored = (events: number) => {
    caughtUpEvents += events
  }
  const running = runInOrder({
    catchUp: (projections) =>
      catchUpPersistently(
        {
          ...{ projections, database, source: store, feed, signal: stopping.signal },
          ...{ onAdvanced, onStored, onTrouble },
        },
        { clock, log },
      ),
    run,
    afterCatchUp: async () => {
      if (caughtUpEvents === 0 || stopping.signal.aborted) return
      const refresh = (sql: Sql) => refreshStatistics(sql, PROJECTIONS)
      await database
        .transaction(refresh, { isLong: true })
        .catch((error: unknown) => log.warn({ err: error }, 'the statistics of the read models could not be refreshed'))
    },
  })
  return {
    name: 'projector',
    url: null,
    drain: async (timeoutMs) => {
      stopping.abort()
      await settlesWithin(running, timeoutMs, clock)
    },
  }
}

/**
 * Models that are far behind catch up together: first those that requests are decided by, so that gateways can start, and
 * then those of the history.
 */
async function runInOrder({
  catchUp,
  run,
  afterCatchUp,
}: {
  catchUp(projections: readonly Projection[]): Promise<void>
  run(projection: Projection): Promise<void>
  afterCatchUp(): Promise<void>
}): Promise<void> {
  const running: Promise<void>[] = []
  const history = new Set(HISTORY_PROJECTIONS)
  for (const group of [PROJECTIONS.filter((projection) => !history.has(projection)), HISTORY_PROJECTIONS]) {
    await catchUp(group)
    running.push(...group.map(run))
  }
  running.push(afterCatchUp())
  await Promise.all(running)
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

type RebuildParts = Pick<Runtime, 'engines' | 'clock' | 'ids'>

function rebuildOf(projection: Projection, { engines, clock, ids }: RebuildParts): RebuildOptions {
  const { database, store: source, feed } = engines
  const partitions = feed.partitionsOf(projection.categories)
  return { projection, database, source, partitions, idsAreUnique: source.idsAreUnique, clock, ids }
}

export type Preparation = {
  readonly signal?: AbortSignal
  /** Called before a rebuild, with the names of those that are still to be rebuilt. */
  readonly onRebuild?: (left: readonly string[]) => void
}

const UNDER_WAY_POLL_MS = 500

/**
 * Creates the tables of new read models and rebuilds those of an older version beside their old rows, so that services read
 * the columns that they know from the start.
 */
export async function prepareReadModels(
  { engines, clock, ids, log }: RebuildParts & Pick<Runtime, 'log'>,
  { signal, onRebuild }: Preparation = {},
): Promise<void> {
  const { database, feed } = engines
  const stored = await readCheckpoints(database)
  const outdated: Projection[] = []
  for (const projection of PROJECTIONS) {
    const partitions = feed.partitionsOf(projection.categories)
    if (isPrepared(stored.get(projection.name), projection, partitions)) continue
    try {
      await prepareProjection(database, projection, partitions)
    } catch (error) {
      if (!(error instanceof RebuildNeeded)) throw error
      log.warn({ err: error, projection: projection.name }, 'read model must be rebuilt')
      if (!error.isNewer) outdated.push(projection)
    }
  }
  for (const [n, projection] of outdated.entries()) {
    onRebuild?.(outdated.slice(n).map(({ name }) => name))
    await rebuildOrWait(projection, { engines, clock, ids }, signal)
    log.info({ projection: projection.name, version: projection.version }, 'read model was rebuilt')
  }
}

async function rebuildOrWait(projection: Projection, parts: RebuildParts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      await rebuildOutdated({ ...rebuildOf(projection, parts), ...(signal && { signal }) })
      return
    } catch (error) {
      // The projector of another process does it.
      if (!(error instanceof RebuildUnderWay)) throw error
    }
    await parts.clock.delay(UNDER_WAY_POLL_MS, signal)
  }
}
