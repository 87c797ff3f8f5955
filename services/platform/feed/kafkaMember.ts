import { randomUUID } from 'node:crypto'
import { type Consumer, type EachBatchPayload, Kafka } from 'kafkajs'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Category } from '../../../contracts/streams.ts'
import { partitionName, type TopicPartition, topicName, topicPartitionsOf } from '../../../contracts/topics.ts'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import type { EventStore } from '../eventStore/port.ts'
import { AssignedPartition } from './assignedPartition.ts'
import { connectionSettings, type KafkaAddress } from './kafkaConnection.ts'
import { PartitionSupply } from './partitionSupply.ts'
import type { Subscriber } from './subscriber.ts'
import { decodedOnce, isOfRelay, requireCategory } from './topicMessages.ts'

/** A consumer that was not heard of for this long loses its partitions to others. */
const CONSUMER_SESSION_MS = 6_000
const CONSUMER_HEARTBEAT_MS = 1_500
/** How long a request of a consumer waits for messages, and with it the end of a consumer. */
const CONSUMER_FETCH_WAIT_MS = 500
/** What one partition brings at a time. The largest message must fit in. */
const CONSUMER_PARTITION_BYTES_MAX = 1024 * 1024
/** A partition whose reader takes longer than this with a portion is not asked for until it is done. */
const CONSUMER_PATIENCE_MS = 200
/** How long a subscriber that stands still may hold up the others of its process. */
const CONSUMER_STANDSTILL_MS = 5_000
const CONSUMER_HINT_MS = 5_000
const CONSUMER_CLOSE_MS = 10_000

export type KafkaMemberOptions = KafkaAddress & {
  /** What Kafka has lost, or does not have yet, is read from here. */
  readonly store: EventStore
  readonly clock: Clock
  /** Messages hold events as they were stored. */
  readonly upcast: (event: RecordedEvent) => RecordedEvent
}

const RETRY_DELAY_MS = 1_000

type Offset = { readonly topic: string; readonly partition: number; readonly offset: string }

const keyOf = (topic: string, number: number) => `${topic}/${number}`

export type KafkaGroup = {
  readonly name: string
  readonly categories: readonly string[]
  /** Whether processes divide the partitions among them; otherwise this one is alone in its group. */
  readonly shared: boolean
}

/** One membership in a consumer group, from joining to leaving it or losing it, for one subscriber or several. */
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
    this.#groupId = `tollgate-${feedId}-${name}${shared ? '' : `-${randomUUID()}`}`
    // A client of its own: two consumers of one group on the same client would share their offsets.
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
      // When the library gives up, a new member of the group begins.
      retry: { ...retry, restartOnFailure: async () => false },
    })
  }

  /** It has left, or lost its group: nobody is served any more. */
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

  /** Who was the last one takes the membership with it. */
  async dismiss(subscriber: Subscriber): Promise<void> {
    this.#subscribers.delete(subscriber)
    for (const partition of this.#assigned.values()) partition.dismiss(subscriber)
    if (this.#subscribers.size === 0) await this.#close()
  }

  /** Leaves the group, so that others have its partitions at once. */
  async #close(): Promise<void> {
    const { clock, log } = this.#options
    const hints = this.#group.shared ? this.#hints() : []
    this.#end()
    this.#assign({})
    const leave = async () => {
      // The library cannot stop what has not finished starting.
      await this.#running
      await this.#commit(hints)
      await this.#consumer.disconnect()
      if (this.#hasJoined && !this.#group.shared) await this.#deleteGroup()
    }
    const left = leave().catch((error: unknown) =>
      log.debug({ err: error }, 'a consumer of the feed left with an error'),
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
    const { clock } = this.#options
    const assigned = new AssignedPartition(place, (signal) => clock.delay(CONSUMER_STANDSTILL_MS, signal))
    for (const subscriber of this.#subscribers) this.#supply(subscriber, assigned)
    return assigned
  }

  #supply(subscriber: Subscriber, assigned: AssignedPartition): void {
    const { place } = assigned
    if (!subscriber.categories.includes(place.category)) return
    const { store, clock, log } = this.#options
    const partition = partitionName(place)
    const supply = new PartitionSupply({
      handover: subscriber.handover,
      start: () => subscriber.readerOf(place),
      head: this.#group.shared ? null : () => store.head(),
      pause: (signal) => clock.delay(RETRY_DELAY_MS, signal),
      onTrouble: (error) => log.warn({ err: error, partition }, 'a partition of the feed stands still and tries again'),
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
    for (const { handover } of this.#subscribers) handover.fail(error)
  }

  /**
   * Waits a moment for the reader to take it all. One that is slower must not hold up the others, for which the library
   * asks only when all have finished: it is left out of the requests until it is done.
   */
  async #receive({ batch, resolveOffset, pause }: EachBatchPayload): Promise<void> {
    const partition = this.#assigned.get(keyOf(batch.topic, batch.partition))
    if (!partition) return
    const { upcast, log, clock } = this.#options
    const messages = batch.messages.filter(isOfRelay)
    if (messages.length < batch.messages.length) {
      log.warn({ topic: batch.topic, offset: batch.lastOffset() }, 'a message that is not of the relay')
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
