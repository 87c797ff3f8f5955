import { type Consumer, type EachBatchPayload, Kafka } from 'kafkajs'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Category } from '../../contracts/streams.ts'
import { partitionName, type TopicPartition, topicName, topicPartitionsOf } from '../../contracts/topics.ts'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import type { EventStore } from '../eventStore/port.ts'
import type { Ids } from '../ids/ids.ts'
import { AssignedPartition } from './assignedPartition.ts'
import { connectionSettings, type KafkaAddress } from './kafkaConnection.ts'
import { PartitionSupply } from './partitionSupply.ts'
import type { Subscriber } from './subscriber.ts'
import { decodedOnce, isOfRelay, requireCategory } from './topicMessages.ts'

/** A consumer without a heartbeat for this long loses its partitions to others. */
const CONSUMER_SESSION_MS = 6_000
const CONSUMER_HEARTBEAT_MS = 1_500
/** How long a fetch request waits for messages. Ending a consumer takes as long. */
const CONSUMER_FETCH_WAIT_MS = 500
/** The limit of one fetch for each partition. The largest message must fit. */
const CONSUMER_PARTITION_BYTES_MAX = 1024 * 1024
/** A partition whose reader takes longer than this for a batch is paused until it is done. */
const CONSUMER_PATIENCE_MS = 200
const CONSUMER_HINT_MS = 5_000
const CONSUMER_CLOSE_MS = 10_000

export type KafkaMemberOptions = KafkaAddress & {
  /** Events that Kafka has lost or does not have yet are read from here. */
  readonly store: EventStore
  readonly clock: Clock
  readonly ids: Ids
  /** Applied to every event, because messages contain events as they were stored. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent
}

const RETRY_DELAY_MS = 1_000

type Offset = { readonly topic: string; readonly partition: number; readonly offset: string }

const keyOf = (topic: string, number: number) => `${topic}/${number}`

export type KafkaGroup = {
  readonly name: string
  readonly categories: readonly string[]
  /** Whether several processes share the partitions; otherwise this process is alone in its group. */
  readonly shared: boolean
}

/** One membership in a consumer group, from joining to leaving or losing it, for one or several subscribers. */
export class KafkaMember {
  readonly #options: KafkaMemberOptions
  readonly #group: KafkaGroup
  readonly #kafka: Kafka
  readonly #consumer: Consumer
  readonly #feedId: string
  readonly #groupId: string
  readonly #topics: ReadonlyMap<string, Category>
  readonly #onOver: () => void
  readonly #subscribers = new Set<Subscriber>()
  readonly #ending = new AbortController()
  #assigned = new Map<string, AssignedPartition>()
  #running: Promise<void> = Promise.resolve()
  #hasJoined = false

  constructor(options: KafkaMemberOptions, group: KafkaGroup, feedId: string, onOver: () => void) {
    const { shared, name, categories } = group
    this.#options = options
    this.#group = group
    this.#feedId = feedId
    this.#onOver = onOver
    this.#topics = new Map(categories.map(requireCategory).map((category) => [topicName(feedId, category), category]))
    this.#groupId = `tollgate-${feedId}-${name}${shared ? '' : `-${options.ids.uuid()}`}`
    // One client per consumer: two consumers of one group on the same client would share their offsets.
    this.#kafka = new Kafka(connectionSettings(options))
    const { retry } = connectionSettings(options)
    this.#consumer = this.#kafka.consumer({
      groupId: this.#groupId,
      allowAutoTopicCreation: false,
      sessionTimeout: CONSUMER_SESSION_MS,
      rebalanceTimeout: CONSUMER_SESSION_MS,
      heartbeatInterval: CONSUMER_HEARTBEAT_MS,
      maxWaitTimeInMs: CONSUMER_FETCH_WAIT_MS,
      maxBytesPerPartition: CONSUMER_PARTITION_BYTES_MAX,
      // When kafkajs gives up, the carrier starts a new member.
      retry: { ...retry, restartOnFailure: async () => false },
    })
  }

  /** The membership was left or lost, and no subscriber is served any more. */
  get isOver(): boolean {
    return this.#ending.signal.aborted
  }

  start(): void {
    this.#running = this.#run().catch((error: unknown) => this.#lose(error))
  }

  serve(subscriber: Subscriber): void {
    this.#subscribers.add(subscriber)
    for (const partition of this.#assigned.values()) this.#supply(subscriber, partition)
  }

  /** The membership ends with its last subscriber. */
  async dismiss(subscriber: Subscriber): Promise<void> {
    this.#subscribers.delete(subscriber)
    for (const partition of this.#assigned.values()) partition.dismiss(subscriber)
    if (this.#subscribers.size === 0) await this.#close()
  }

  /** Leaves the group, so that other members get its partitions at once. */
  async #close(): Promise<void> {
    const { clock, log } = this.#options
    const hints = this.#group.shared ? this.#hints() : []
    this.#end()
    this.#assign({})
    const leave = async () => {
      // kafkajs cannot stop a consumer that has not finished starting.
      await this.#running
      await this.#commit(hints)
      await this.#consumer.disconnect()
      if (this.#hasJoined && !this.#group.shared) await this.#deleteGroup()
    }
    const left = leave().catch((error: unknown) =>
      log.debug({ err: error }, 'feed consumer left its group with an error'),
    )
    await settlesWithin(left, CONSUMER_CLOSE_MS, clock)
  }

  async #run(): Promise<void> {
    const consumer = this.#consumer
    const { shared } = this.#group
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.#hasJoined = true
      this.#assign(payload.memberAssignment)
    })
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#lose(payload.error))
    await consumer.connect()
    // Outside a shared group a subscriber catches up from the store and needs only new messages.
    await consumer.subscribe({ topics: [...this.#topics.keys()], fromBeginning: shared })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: [...this.#topics.values()].flatMap(topicPartitionsOf).length,
      eachBatch: (payload) => this.#receive(payload),
    })
    if (shared) void this.#keepHinting()
  }

  /** A partition that stays is reassigned too, because another member may have had it in between. */
  #assign(assignment: Readonly<Record<string, readonly number[]>>): void {
    for (const partition of this.#assigned.values()) partition.revoke()
    this.#assigned = new Map()
    // The consumer may have joined while it was being closed.
    if (this.#ending.signal.aborted) return
    for (const [topic, numbers] of Object.entries(assignment)) {
      const category = this.#topics.get(topic)
      if (!category) continue
      for (const number of numbers) this.#assigned.set(keyOf(topic, number), this.#open({ category, number }))
    }
  }

  #open(place: TopicPartition): AssignedPartition {
    const assigned = new AssignedPartition(place, this.#options.clock)
    for (const subscriber of this.#subscribers) this.#supply(subscriber, assigned)
    return assigned
  }

  #supply(subscriber: Subscriber, assigned: AssignedPartition): void {
    const { place } = assigned
    if (!subscriber.categories.includes(place.category)) return
    const { store, clock, log } = this.#options
    const partition = partitionName(place)
    const supply = new PartitionSupply({
      queue: subscriber.queue,
      start: () => subscriber.readerOf(place),
      head: this.#group.shared ? null : () => store.head(),
      pause: (signal) => clock.delay(RETRY_DELAY_MS, signal),
      onTrouble: (error) => log.warn({ err: error, partition }, 'feed partition stalled, retrying'),
    })
    assigned.serve(subscriber, supply)
  }

  #end(): void {
    if (!this.isOver) this.#onOver()
    this.#ending.abort()
  }

  #lose(error: unknown): void {
    if (this.isOver) return
    this.#end()
    for (const { queue } of this.#subscribers) queue.fail(error)
  }

  /**
   * Waits a moment for the reader to take the whole batch. A slower reader must not hold up the other partitions,
   * because kafkajs fetches only when all have finished: its partition is paused until it is done.
   */
  async #receive({ batch, resolveOffset, pause }: EachBatchPayload): Promise<void> {
    const partition = this.#assigned.get(keyOf(batch.topic, batch.partition))
    if (!partition) return
    const { upcast, log, clock } = this.#options
    const messages = batch.messages.filter(isOfRelay)
    if (messages.length < batch.messages.length) {
      log.warn(
        { topic: batch.topic, offset: batch.lastOffset() },
        'ignored messages that were not published by the relay',
      )
    }
    if (messages.length === 0) return resolveOffset(batch.lastOffset())
    const newest = decodedOnce(messages.slice(-1), upcast)
    const taken = partition.take(decodedOnce(messages, upcast), newest, batch.lastOffset())
    const isInTime = await settlesWithin(taken, CONSUMER_PATIENCE_MS, clock)
    if (!isInTime && !partition.isRevoked) void taken.then(pause())
    if (!partition.isRevoked) resolveOffset(batch.lastOffset())
  }

  async #keepHinting(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#options.clock.delay(CONSUMER_HINT_MS, this.#ending.signal)
      await this.#commit(this.#hints())
    }
  }

  #hints(): Offset[] {
    return [...this.#assigned.values()].flatMap((assigned) => {
      const { category, number } = assigned.place
      const offset = assigned.nextHint()
      return offset === null ? [] : [{ topic: topicName(this.#feedId, category), partition: number, offset }]
    })
  }

  async #commit(offsets: Offset[]): Promise<void> {
    if (offsets.length === 0) return
    await this.#consumer
      .commitOffsets(offsets)
      .catch((error: unknown) => this.#options.log.debug({ err: error }, 'committing offsets failed'))
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
