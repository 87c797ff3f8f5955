import type { DomainEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { type StreamName, streamName } from '../../../contracts/streams.ts'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../../../platform/eventStore/eventGuard.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { READ_PAGE_EVENTS_MAX } from '../../../platform/eventStore/storeLimits.ts'
import { withUpcasting } from '../../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { applyEvents, type Projection, type Row, rowKey } from '../../../projections/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { type RebuildOptions, rebuildOutdated, rebuildProjection } from '../../../projections/runner/rebuild.ts'
import { runProjection } from '../../../projections/runner/runner.ts'
import type { RunnerOptions } from '../../../projections/runner/runnerOptions.ts'
import { SharedTransactions } from '../../../projections/runner/sharedTransactions.ts'
import { anEventOf } from '../events/history.ts'
import { charged } from '../events/ledgerEvents.ts'
import { until } from '../time/until.ts'
import { createTestDatabase } from './database.ts'
import { patientDatabase } from './patientDatabase.ts'

export type Running = {
  /** Errors so far, after which the runner continued. */
  readonly troubles: unknown[]
  /** The checkpoint positions that this runner wrote, in order. */
  readonly advances: { readonly partition: string; readonly position: Position; readonly events: number }[]
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** How many events a runner reads from the store at a time. */
export const PAGE_EVENTS = READ_PAGE_EVENTS_MAX

/** Rebuilds and folds read every event again, so without a pause a test would spend most of its time on reads. */
const PAUSE_BETWEEN_CHARGES_MS = 5

/** Does not wait long between two attempts. */
export const impatientClock: Clock = {
  ...systemClock,
  delay: (ms, signal) => systemClock.delay(Math.min(ms, 20), signal),
}

/** A database with its own event store and running read models. */
export class ReadModels {
  readonly database: PostgresDatabase
  readonly store: TypedEventStore
  readonly feed: Feed
  /** Shared by the runners of a process; a runner with another database or feed has its own. */
  readonly #transactions: SharedTransactions
  readonly #drop: () => Promise<void>
  readonly #running = new Set<Running>()

  private constructor(database: PostgresDatabase, drop: () => Promise<void>) {
    this.database = database
    this.store = withUpcasting(new PostgresEventStore(database, systemClock))
    this.feed = storeFeed(this.store)
    this.#transactions = this.anotherProcess()
    this.#drop = drop
  }

  static async open(): Promise<ReadModels> {
    const testDatabase = await createTestDatabase('migrated')
    const database = patientDatabase({ url: testDatabase.url, connectionsMax: 20 })
    return new ReadModels(database, testDatabase.drop)
  }

  /** For runners that store their models apart from the others. */
  anotherProcess(): SharedTransactions {
    return new SharedTransactions(this.database, this.feed.idsAreUnique)
  }

  /** Separate connections, like those of another process. The caller closes them. */
  connect(): PostgresDatabase {
    return patientDatabase({ url: this.database.url, connectionsMax: 2 })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((runner) => runner.stop()))
    await this.store.close()
    await this.database.close()
    await this.#drop()
  }

  append(stream: StreamName, ...events: DomainEvent[]) {
    return this.store.append(
      stream,
      'any',
      events.map((event) => anEventOf(event)),
    )
  }

  appendToLedger(companyId: string, ...events: DomainEvent[]) {
    return this.append(streamName('ledger', companyId), ...events)
  }

  async chargeCalls(companyId: string, count: number): Promise<void> {
    for (let left = count; left > 0; left -= EVENTS_PER_APPEND_MAX) {
      const size = Math.min(left, EVENTS_PER_APPEND_MAX)
      await this.appendToLedger(companyId, ...Array.from({ length: size }, () => charged(companyId)))
    }
  }

  /** Simulates callers: appends every few milliseconds until it is stopped. */
  keepCharging(companyId: string): () => Promise<void> {
    let isOver = false
    const appending = (async () => {
      while (!isOver) {
        await this.appendToLedger(companyId, charged(companyId), charged(companyId))
        await systemClock.delay(PAUSE_BETWEEN_CHARGES_MS)
      }
    })()
    return async () => {
      isOver = true
      await appending
    }
  }

  run(projection: Projection, changes: Partial<RunnerOptions> = {}): Running {
    const stopping = new AbortController()
    const troubles: unknown[] = []
    const advances: Running['advances'] = []
    const options: RunnerOptions = {
      projection,
      database: this.database,
      feed: this.feed,
      clock: impatientClock,
      ...(!changes.database && !changes.feed && { transactions: this.#transactions }),
      onAdvanced: (partition, position, events) => void advances.push({ partition, position, events }),
      onTrouble: (error) => void troubles.push(error),
      ...changes,
    }
    const ended = runProjection(options, stopping.signal)
    ended.catch(() => {})
    const stop = async () => {
      stopping.abort()
      await ended.catch(() => {})
    }
    const running = { troubles, advances, ended, stop }
    this.#running.add(running)
    return running
  }

  rebuild(projection: Projection, changes: Partial<RebuildOptions> = {}) {
    return rebuildProjection({ ...this.#rebuildOptions(projection), ...changes })
  }

  rebuildOutdated(projection: Projection) {
    return rebuildOutdated(this.#rebuildOptions(projection))
  }

  #rebuildOptions(projection: Projection): RebuildOptions {
    return {
      clock: systemClock,
      ids: systemIds,
      projection,
      database: this.database,
      source: this.store,
      partitions: this.feed.partitionsOf(projection.categories),
      idsAreUnique: this.feed.idsAreUnique,
    }
  }

  /** The current rows of the table, sorted by key. */
  async rows<R extends Row>(projection: Projection<R>): Promise<R[]> {
    return inKeyOrder(projection, (await this.database.query(`select * from read_models.${projection.table}`)) as R[])
  }

  /** The expected rows: the fold of all stored events. */
  async folded<R extends Row>(projection: Projection<R>): Promise<R[]> {
    return inKeyOrder(projection, [...applyEvents(projection, await this.events(projection)).values()])
  }

  async events(projection: Pick<Projection, 'categories'>): Promise<RecordedEvent[]> {
    const all: RecordedEvent[] = []
    let after = BEGINNING
    for (;;) {
      const page = await this.store.readAll({ after, categories: projection.categories, limit: 1_000 })
      all.push(...page.events)
      if (page.position === after) return all
      after = page.position
    }
  }

  async position(projection: Pick<Projection, 'name'>, partition = 'all'): Promise<Position | undefined> {
    return (await readCheckpoint(this.database, projection.name))?.positions[partition]
  }

  /** Whether a session on this database waits for the lock of another one. */
  async waitsForALock(): Promise<boolean> {
    const waiting = await this.database.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return waiting.length > 0
  }

  /** Waits until the model has processed every event stored so far. */
  async caughtUp(...projections: Projection[]): Promise<void> {
    for (const projection of projections) {
      const last = (await this.events(projection)).at(-1)?.position ?? BEGINNING
      const hasPassed = async () => {
        const reached = await this.position(projection)
        return reached !== undefined && reached >= last
      }
      await until(`${projection.name} has passed ${last}`, hasPassed)
    }
  }
}

export function inKeyOrder<R extends Row>(projection: Projection<R>, rows: R[]): R[] {
  return rows.sort((a, b) => (rowKey(projection, a) < rowKey(projection, b) ? -1 : 1))
}
