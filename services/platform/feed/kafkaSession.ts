import { randomUUID } from 'node:crypto'
import { type Consumer, type EachBatchPayload, Kafka, type KafkaMessage } from 'kafkajs'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { LIMITS } from '../../../contracts/limits.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Category } from '../../../contracts/streams.ts'
import {
  isCategory,
  MESSAGE_HEADERS,
  partitionName,
  type TopicMessage,
  type TopicPartition,
  topicName,
  topicPartitionOf,
  topicPartitionsOf,
} from '../../../contracts/topics.ts'
import type { Database, FeedBatch, FeedSubscription } from '../../../projections/runner/ports.ts'
import type { Clock } from '../clock/clock.ts'
import { upcast as upcastToCurrent } from '../commands/eventCodec.ts'
import type { EventStore } from '../eventStore/port.ts'
import { AssignedPartition } from './assignedPartition.ts'
import { Handover } from './handover.ts'
import { connectionSettings, type KafkaAddress } from './kafkaConnection.ts'
import { PartitionReader, type ReadPage } from './partitionReader.ts'

export type KafkaFeedOptions = KafkaAddress & {
  readonly database: Pick<Database, 'query'>
  /** What Kafka has lost, or does not have yet, is read from here. */
  readonly store: EventStore
  readonly clock: Clock
  /** Messages hold events as they were stored. */
  readonly upcast?: (event: RecordedEvent) => RecordedEvent
}

const RETRY_DELAY_MS = 1_000

export function requireCategory(category: string): Category {
  if (!isCategory(category)) throw new Error(`category ${category} has no topic`)
  return category
}

type Offset = { readonly topic: string; readonly partition: number; readonly offset: string }

const keyOf = (topic: string, number: number) => `${topic}/${number}`
const placeOf = (key: string) => {
  const slash = key.lastIndexOf('/')
  return { topic: key.slice(0, slash), partition: Number(key.slice(slash + 1)) }
}

/** One membership in a consumer group, from joining to leaving it or losing it. */
export class KafkaSession {
  readonly #options: KafkaFeedOptions
  readonly #subscription: FeedSubscription
  readonly #kafka: Kafka
  readonly #consumer: Consumer
  readonly #groupId: string
  readonly #topics: ReadonlyMap<string, Category>
  /** How far the subscriber has been given each partition, in this session and those before it. */
  readonly #given: Map<string, Position>
  readonly #handover = new Handover()
  readonly #ending = new AbortController()
  #assigned = new Map<string, AssignedPartition>()
  #running: Promise<void> = Promise.resolve()
  #hasJoined = false

  constructor(options: KafkaFeedOptions, subscription: FeedSubscription, feedId: string, given: Map<string, Position>) {
    const { shared, consumer, categories } = subscription
    this.#options = options
    this.#subscription = subscription
    this.#given = given
    this.#topics = new Map(categories.map(requireCategory).map((category) => [topicName(feedId, category), category]))
    this.#groupId = `tollgate-${feedId}-${consumer}${shared ? '' : `-${randomUUID()}`}`
    // A client of its own: two consumers of one group on the same client would share their offsets.
    this.#kafka = new Kafka(connectionSettings(options))
    const { retry } = connectionSettings(options)
    this.#consumer = this.#kafka.consumer({
      groupId: this.#groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: LIMITS.consumerSessionMs,
      rebalanceTimeout: LIMITS.consumerSessionMs,
      heartbeatInterval: LIMITS.consumerHeartbeatMs,
      maxWaitTimeInMs: LIMITS.consumerFetchWaitMs,
      maxBytesPerPartition: LIMITS.consumerPartitionBytesMax,
      // When the library gives up, a new session begins, and with it a new member of the group.
      retry: { ...retry, restartOnFailure: async () => false },
    })
  }

  /** Every partition up to the end of the store. */
  async *straightFromStore(): AsyncGenerator<FeedBatch> {
    const head = await this.#options.store.head()
    for (const place of [...this.#topics.values()].flatMap(topicPartitionsOf)) {
      const reader = await this.#readerOf(place)
      for await (const batch of reader.catchUp(head)) {
        if (this.#subscription.signal.aborted) return
        this.#given.set(batch.partition, batch.position)
        yield batch
      }
    }
  }

  async *batches(): AsyncGenerator<FeedBatch> {
    const { signal } = this.#subscription
    const close = () => this.#handover.close()
    signal.addEventListener('abort', close)
    if (signal.aborted) close()
    try {
      this.#running = this.#run().catch((error: unknown) => this.#handover.fail(error))
      for (let batch = await this.#handover.take(); batch; batch = await this.#handover.take()) {
        this.#given.set(batch.partition, batch.position)
        yield batch
      }
    } finally {
      signal.removeEventListener('abort', close)
    }
  }

  /** Leaves the group, so that others have its partitions at once. */
  async close(): Promise<void> {
    const { clock, log } = this.#options
    this.#ending.abort()
    const hints = this.#subscription.shared ? this.#hints() : []
    this.#assign({})
    this.#handover.close()
    const leave = async () => {
      // The library cannot stop what has not finished starting.
      await this.#running
      await this.#commit(hints)
      await this.#consumer.disconnect()
      if (this.#hasJoined && !this.#subscription.shared) await this.#deleteGroup()
    }
    const left = leave().catch((error: unknown) =>
      log.debug({ err: error }, 'a consumer of the feed left with an error'),
    )
    const patience = new AbortController()
    await Promise.race([left, clock.delay(LIMITS.consumerCloseMs, patience.signal)])
    patience.abort()
  }

  async #run(): Promise<void> {
    const consumer = this.#consumer
    const { shared } = this.#subscription
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.#hasJoined = true
      this.#assign(payload.memberAssignment)
    })
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#handover.fail(payload.error))
    await consumer.connect()
    // Who reads for itself catches up from the store, and needs only what comes from now on.
    await consumer.subscribe({ topics: [...this.#topics.keys()], fromBeginning: shared })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: [...this.#topics.values()].flatMap(topicPartitionsOf).length,
      eachBatch: (payload) => this.#receive(payload),
    })
    if (shared) void this.#keepHinting()
  }

  /** Every assignment is a new one, also of a partition that stays: in between, another member may have had it. */
  #assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    for (const partition of this.#assigned.values()) partition.revoke()
    this.#assigned = new Map()
    // It may have joined while it was being closed.
    if (this.#ending.signal.aborted) return
    for (const [topic, numbers] of Object.entries(assignment)) {
      const category = this.#topics.get(topic)
      if (!category) continue
      for (const number of numbers) this.#assigned.set(keyOf(topic, number), this.#open({ category, number }))
    }
  }

  #open(place: TopicPartition): AssignedPartition {
    const { store, clock, log } = this.#options
    const { shared } = this.#subscription
    const partition = partitionName(place)
    return new AssignedPartition({
      handover: this.#handover,
      start: () => this.#readerOf(place),
      head: shared ? null : () => store.head(),
      pause: (signal) => clock.delay(RETRY_DELAY_MS, signal),
      onTrouble: (error) => log.warn({ err: error, partition }, 'a partition of the feed stands still and tries again'),
    })
  }

  /** Where the subscriber stands by now, or is about to stand with what it was given. */
  async #readerOf(place: TopicPartition): Promise<PartitionReader> {
    const partition = partitionName(place)
    const stored = await this.#subscription.reached(partition)
    const given = this.#given.get(partition) ?? BEGINNING
    return new PartitionReader(partition, stored > given ? stored : given, this.#pagesOf(place))
  }

  #pagesOf({ category, number }: TopicPartition): ReadPage {
    return async (after) => {
      const { store, log } = this.#options
      const page = await store.readAll({ after, categories: [category], limit: LIMITS.readPageEventsMax })
      log.debug({ category, number, after, to: page.position }, 'read from the event store instead of Kafka')
      const events = page.events.filter(({ stream }) => topicPartitionOf(stream)?.number === number)
      return { events: events.map((event) => this.#upcast(event)), position: page.position }
    }
  }

  /** Decoded anew each time that it is gone through. */
  #decoded(messages: readonly KafkaMessage[]): Iterable<TopicMessage> {
    const decode = (message: KafkaMessage) => this.#decode(message)
    return {
      *[Symbol.iterator]() {
        for (const message of messages) {
          const decoded = decode(message)
          if (decoded) yield decoded
        }
      },
    }
  }

  /** null: not of the relay. Leaving it out harms nobody, because the relay's own messages say what lies between them. */
  #decode({ headers, value, offset }: KafkaMessage): TopicMessage | null {
    const position = headers?.[MESSAGE_HEADERS.position]?.toString() as Position | undefined
    const previous = headers?.[MESSAGE_HEADERS.previous]?.toString() as Position | undefined
    if (position === undefined || previous === undefined) {
      this.#options.log.warn({ topics: [...this.#topics.keys()], offset }, 'a message that is not of the relay')
      return null
    }
    const event = value && this.#upcast(JSON.parse(value.toString()) as RecordedEvent)
    return { position, previous, event }
  }

  #upcast(event: RecordedEvent): RecordedEvent {
    return (this.#options.upcast ?? upcastToCurrent)(event)
  }

  /**
   * Waits a moment for the reader to take it all. One that is slower must not hold up the others, for which the library
   * asks only when all have finished: it is left out of the requests until it is done.
   */
  async #receive({ batch, resolveOffset, pause }: EachBatchPayload): Promise<void> {
    const partition = this.#assigned.get(keyOf(batch.topic, batch.partition))
    if (!partition) return
    const taken = partition.take(this.#decoded(batch.messages), batch.lastOffset())
    const patience = new AbortController()
    const isSlow = await Promise.race([
      taken.then(() => false),
      this.#options.clock.delay(LIMITS.consumerPatienceMs, patience.signal).then(() => true),
    ])
    patience.abort()
    if (isSlow && !partition.isRevoked) void taken.then(pause())
    if (!partition.isRevoked) resolveOffset(batch.lastOffset())
  }

  async #keepHinting(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#options.clock.delay(LIMITS.consumerHintMs, this.#ending.signal)
      await this.#commit(this.#hints())
    }
  }

  #hints(): Offset[] {
    return [...this.#assigned].flatMap(([key, assigned]) => {
      const offset = assigned.nextHint()
      return offset === null ? [] : [{ ...placeOf(key), offset }]
    })
  }

  async #commit(offsets: Offset[]): Promise<void> {
    if (offsets.length === 0) return
    await this.#consumer
      .commitOffsets(offsets)
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'offsets could not be committed now'))
  }

  async #deleteGroup(): Promise<void> {
    const admin = this.#kafka.admin()
    try {
      await admin.connect()
      await admin.deleteGroups([this.#groupId])
    } finally {
      await admin.disconnect()
    }
  }
}
