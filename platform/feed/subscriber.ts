import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { partitionName, type TopicPartition, topicPartitionOf, topicPartitionsOf } from '../../contracts/topics.ts'
import type { FeedBatch, FeedSubscription } from '../../projections/runner/ports.ts'
import type { EventStore } from '../eventStore/port.ts'
import { READ_PAGE_EVENTS_MAX } from '../eventStore/storeLimits.ts'
import type { Log } from '../logger/logger.ts'
import { BatchQueue } from './batchQueue.ts'
import { PartitionReader, type ReadPage } from './partitionReader.ts'
import { requireCategory } from './topicMessages.ts'

export type SubscriberOptions = {
  readonly subscription: FeedSubscription
  /** The last position delivered on each partition, by any membership. */
  readonly given: Map<string, Position>
  readonly store: EventStore
  readonly log: Log
  readonly upcast: (event: RecordedEvent) => RecordedEvent
}

/** A subscription while a membership in a group serves it. */
export class Subscriber {
  readonly queue = new BatchQueue()
  readonly #options: SubscriberOptions

  constructor(options: SubscriberOptions) {
    this.#options = options
  }

  get categories(): readonly string[] {
    return this.#options.subscription.categories
  }

  /** Every partition up to the head of the store. */
  async *straightFromStore(): AsyncGenerator<FeedBatch> {
    const { store, subscription, given } = this.#options
    const head = await store.head()
    for (const place of this.categories.map(requireCategory).flatMap(topicPartitionsOf)) {
      const reader = await this.readerOf(place)
      for await (const batch of reader.catchUp(head)) {
        if (subscription.signal.aborted) return
        given.set(batch.partition, batch.position)
        yield batch
      }
    }
  }

  /** The batches of the membership, until the subscription ends or the membership is lost. */
  async *batches(): AsyncGenerator<FeedBatch> {
    const { subscription, given } = this.#options
    const { signal } = subscription
    const close = () => this.queue.close()
    signal.addEventListener('abort', close)
    if (signal.aborted) close()
    try {
      for (let batch = await this.queue.take(); batch; batch = await this.queue.take()) {
        given.set(batch.partition, batch.position)
        yield batch
      }
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  }

  /** A reader at the stored position of the subscription, or at the last delivered one if that is later. */
  async readerOf(place: TopicPartition): Promise<PartitionReader> {
    const partition = partitionName(place)
    const stored = await this.#options.subscription.reached(partition)
    const given = this.#options.given.get(partition) ?? BEGINNING
    return new PartitionReader(partition, stored > given ? stored : given, this.#pagesOf(place))
  }

  #pagesOf({ category, number }: TopicPartition): ReadPage {
    const { store, log, upcast } = this.#options
    return async (after) => {
      const page = await store.readAll({ after, categories: [category], limit: READ_PAGE_EVENTS_MAX })
      log.debug({ category, number, after, to: page.position }, 'read from the event store instead of Kafka')
      const events = page.events.filter(({ stream }) => topicPartitionOf(stream)?.number === number)
      return { events: events.map((event) => upcast(event)), position: page.position }
    }
  }
}
