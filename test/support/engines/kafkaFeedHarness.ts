import type { DomainEvent, NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import type { Category, StreamName } from '../../../contracts/streams.ts'
import { topicName } from '../../../contracts/topics.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { kafkaFeed } from '../../../platform/feed/kafkaFeed.ts'
import { readFeedId } from '../../../platform/feed/relayProgress.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { type Log, openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import type { RunningService } from '../../../platform/service.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { startRelay } from '../../../services/relay/relay.ts'
import { createTestDatabase, giveFeedItsOwnId } from '../databases/database.ts'
import { patientDatabase } from '../databases/patientDatabase.ts'
import { withoutUpcasting } from '../eventStores/withoutUpcasting.ts'
import { anEventOf } from '../events/history.ts'

/** Short, so that tests of a takeover do not wait long. */
export const LEASE_MS = 1_000

/** A database with its own event store, whose feed id gives it its own topics on the given Kafka. */
export class KafkaFeedHarness {
  readonly brokers: readonly string[]
  readonly database: PostgresDatabase
  readonly store: TypedEventStore
  readonly feed: Feed
  readonly feedId: string
  readonly log: Log
  readonly #drop: () => Promise<void>
  readonly #relays = new Set<RunningService>()

  private constructor(
    brokers: readonly string[],
    database: PostgresDatabase,
    feedId: string,
    drop: () => Promise<void>,
  ) {
    this.brokers = brokers
    this.database = database
    this.store = withoutUpcasting(new PostgresEventStore(database, systemClock))
    this.feedId = feedId
    this.log = openLog({ level: process.env.TEST_LOG_LEVEL ?? 'silent', file: null }).log
    this.feed = this.openFeed()
    this.#drop = drop
  }

  static async open(addresses: string): Promise<KafkaFeedHarness> {
    const testDatabase = await createTestDatabase('migrated')
    await giveFeedItsOwnId(testDatabase.url)
    const database = patientDatabase({ url: testDatabase.url, connectionsMax: 20 })
    return new KafkaFeedHarness(addresses.split(','), database, await readFeedId(database), testDatabase.drop)
  }

  /** The feed of another process. Most tests use invented events, so nothing is upcast by default. */
  openFeed(upcast: (event: RecordedEvent) => RecordedEvent = (event) => event): Feed {
    const { brokers, database, store, log } = this
    return kafkaFeed({ brokers, database, store, clock: systemClock, ids: systemIds, log, upcast })
  }

  async startRelay(leaseMs = LEASE_MS): Promise<RunningService> {
    const { brokers, database, store, log } = this
    const relay = await startRelay({
      ...{ brokers, database, store, log, leaseMs },
      clock: systemClock,
      ids: systemIds,
      metrics: createMetrics(),
    })
    this.#relays.add(relay)
    return relay
  }

  append(stream: string, events: readonly NewEvent[]) {
    return this.store.append(stream, 'any', events)
  }

  write(stream: StreamName, ...events: DomainEvent[]) {
    return this.append(
      stream,
      events.map((event) => anEventOf(event)),
    )
  }

  topic(category: Category): string {
    return topicName(this.feedId, category)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#relays].map((relay) => relay.drain(1_000)))
    await this.store.close()
    await this.database.close()
    await this.#drop()
  }
}
