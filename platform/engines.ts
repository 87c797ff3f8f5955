import { Counter } from 'prom-client'
import { BEGINNING, type Position } from '../contracts/position.ts'
import type { Feed } from '../projections/runner/ports.ts'
import type { Clock } from './clock/clock.ts'
import type { Config } from './config/config.ts'
import { SettingError } from './config/settingError.ts'
import type { EventStore, TypedEventStore } from './eventStore/port.ts'
import { PostgresEventStore } from './eventStore/postgres/postgresEventStore.ts'
import { PursuingAppender } from './eventStore/pursuit.ts'
import { StoreWatch } from './eventStore/storeWatch.ts'
import { withUpcasting } from './eventStore/upcasting.ts'
import { readFeedId } from './feed/relayProgress.ts'
import { storeFeed } from './feed/storeFeed.ts'
import type { Ids } from './ids/ids.ts'
import type { Log } from './logger/logger.ts'
import type { Metrics } from './metrics/metrics.ts'
import { POOL_CONNECTIONS_MAX } from './postgres/connectionLimits.ts'
import { openDatabase, type PostgresDatabase } from './postgres/database.ts'
import { migrate } from './postgres/migrate.ts'
import { requireNoUnfinishedRestore } from './postgres/restoreMark.ts'
import { PostgresCompanyChanges } from './sharedState/companyChanges/postgresCompanyChanges.ts'
import { PostgresHolds } from './sharedState/holds/postgresHolds.ts'
import { memorySharedState } from './sharedState/memorySharedState.ts'
import type { SharedState } from './sharedState/port.ts'
import type { RedisSharedStateOptions } from './sharedState/redis/redisSharedState.ts'
import type { Tracing } from './tracing/port.ts'
import { tracedFeed } from './tracing/tracedFeed.ts'

/** The engines behind their ports. */
export type Engines = {
  readonly database: PostgresDatabase
  readonly store: TypedEventStore
  /** The same store without upcasting, for services that forward events as they were stored. */
  readonly storeAsWritten: EventStore
  readonly feed: Feed
  readonly sharedState: SharedState
  /** Appends to the store until the outcome is known. */
  readonly appender: PursuingAppender
  readonly watch: StoreWatch
  close(): Promise<void>
}

export type EnginesOptions = {
  /** This process is one of the gateways that share the limits. */
  readonly admitsCalls?: boolean
  /** Other threads of this process open the same engines. */
  readonly sharedByThreads?: boolean
  /** This process restores a backup. No other process may use the installation until the restore is finished. */
  readonly restores?: boolean
  /** How long a statement waits for its answer. Default: without end, for commands that read or write everything. */
  readonly answerMsMax?: number
}

/** The address of the database, or one that is open. */
export type DatabaseSource = string | PostgresDatabase

/** What the engines need from the runtime. */
export type EnginesRuntime = {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Where the engines report their metrics. Only one thread of a process passes it. */
  readonly metrics?: Metrics
  readonly tracing?: Tracing | null
}

/**
 * Opens the production engine where its address is set, and the embedded one otherwise. A driver is loaded only if its
 * engine is configured: the three together are a third of the code loaded at start.
 */
export async function openEngines(
  config: Config,
  source: DatabaseSource,
  runtime: EnginesRuntime,
  options: EnginesOptions = {},
): Promise<Engines> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne()
  }
  try {
    return { ...(await openEach(config, source, runtime, options, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function openEach(
  { DATABASE_URL, EVENTSTORE_URL, EVENTSTORE_PREFIX, KAFKA_BROKERS, REDIS_URL }: Config,
  source: DatabaseSource,
  { clock, ids, log, metrics, tracing }: EnginesRuntime,
  { admitsCalls, sharedByThreads, restores, answerMsMax }: EnginesOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<Engines, 'close'>> {
  const database = await openMigrated(source, log, answerMsMax)
  closers.push(() => database.close())
  if (!restores) await requireNoUnfinishedRestore(database)
  const storeAsWritten = await openStore(
    { EVENTSTORE_URL, EVENTSTORE_PREFIX },
    database,
    { clock, ids, log, metrics },
    { sharedByThreads },
  )
  closers.push(() => storeAsWritten.close())
  if (EVENTSTORE_URL !== undefined) {
    const head = await requireAnswer(storeAsWritten)
    if (head === BEGINNING && !restores) await requireNoReadModels(database, EVENTSTORE_PREFIX)
  }
  const store = withUpcasting(storeAsWritten)
  const feed =
    KAFKA_BROKERS === undefined
      ? storeFeed(store)
      : (await import('./feed/kafkaFeed.ts')).kafkaFeed({
          brokers: KAFKA_BROKERS.split(','),
          database,
          store,
          clock,
          ids,
          log,
        })
  const memberId = admitsCalls ? ids.uuid() : null
  // An embedded database belongs to one process; a database with an address may serve several.
  const sharedInDatabase =
    DATABASE_URL === undefined
      ? {}
      : {
          holds: new PostgresHolds(database, clock),
          companyChanges: new PostgresCompanyChanges(database, clock),
        }
  const sharedState =
    REDIS_URL === undefined
      ? { ...memorySharedState(clock), ...sharedInDatabase }
      : await redisSharedState({ url: REDIS_URL, clock, ids, log, memberId, storeId: await readFeedId(database) })
  closers.push(() => sharedState.close())
  const appender = new PursuingAppender(store, clock)
  const watch = new StoreWatch({ store: storeAsWritten, appends: appender, clock, ids, log })
  closers.push(() => watch.close())
  // Only a process that admits calls needs to know before it appends.
  if (admitsCalls) watch.start()
  return {
    database,
    store,
    storeAsWritten,
    feed: tracing ? tracedFeed(feed, tracing, clock) : feed,
    sharedState,
    appender,
    watch,
  }
}

/** Opens the event store alone. */
export async function openStore(
  { EVENTSTORE_URL, EVENTSTORE_PREFIX }: Pick<Config, 'EVENTSTORE_URL' | 'EVENTSTORE_PREFIX'>,
  database: PostgresDatabase,
  { clock, ids, log, metrics }: EnginesRuntime,
  { sharedByThreads }: Pick<EnginesOptions, 'sharedByThreads'> = {},
): Promise<EventStore> {
  return EVENTSTORE_URL === undefined
    ? new PostgresEventStore(database, clock, { sharedByThreads })
    : eventStoreDb(EVENTSTORE_URL, { clock, ids, log, metrics, prefix: EVENTSTORE_PREFIX })
}

async function redisSharedState(options: RedisSharedStateOptions): Promise<SharedState> {
  const { openRedisSharedState } = await import('./sharedState/redis/redisSharedState.ts')
  return openRedisSharedState(options)
}

type EventStoreDbSettings = EnginesRuntime & { readonly prefix: string }

async function eventStoreDb(
  url: string,
  { clock, ids, log, metrics, prefix }: EventStoreDbSettings,
): Promise<EventStore> {
  const { openEventStoreDb } = await import('./eventStore/eventStoreDb/eventStoreDb.ts')
  try {
    return openEventStoreDb(url, { clock, ids, log, prefix, onForeignEvent: foreignEventCounter(metrics) })
  } catch (error) {
    throw unusableEventStore(error)
  }
}

/** A store that does not answer stops the start, as a database does: no service works without it. */
async function requireAnswer(store: EventStore): Promise<Position> {
  return store.head().catch((error: unknown) => {
    throw unusableEventStore(error)
  })
}

/** If the store were empty while the read models are not, every stream would start at its first revision again. */
async function requireNoReadModels(database: PostgresDatabase, prefix: string): Promise<void> {
  const built = await database.query("select 1 from read_models.checkpoints where position <> '' limit 1")
  if (built.length === 0) return
  throw new SettingError(
    `EVENTSTORE_PREFIX: the event store has no stream whose name begins with ${JSON.stringify(prefix)}, but the database ` +
      'holds read models of earlier events. Correct EVENTSTORE_URL or EVENTSTORE_PREFIX; to move the events of another ' +
      'store here, restore its backup',
  )
}

function foreignEventCounter(metrics: Metrics | undefined): () => void {
  if (!metrics) return () => {}
  const counter = new Counter({
    name: 'tollgate_foreign_events_total',
    help: "Events of other applications in this installation's streams of EventStoreDB, which were ignored",
    registers: [metrics],
  })
  return () => counter.inc()
}

function unusableEventStore(error: unknown): SettingError {
  return new SettingError(`EVENTSTORE_URL: ${(error as Error).message}`)
}

async function openMigrated(
  source: DatabaseSource,
  log: Log,
  answerMsMax: number | undefined,
): Promise<PostgresDatabase> {
  const database =
    typeof source === 'string'
      ? openDatabase({
          url: source,
          connectionsMax: POOL_CONNECTIONS_MAX,
          answerMsMax,
          onIdleError: (error) => log.warn({ err: error }, 'idle database connection broke'),
        })
      : source
  const applied = await migrate(database).catch((error: Error) => {
    if (error instanceof SettingError) throw error
    throw new SettingError(
      `DATABASE_URL: the database cannot be used: ${error.message || (error as NodeJS.ErrnoException).code}`,
    )
  })
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  return database
}
