import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import type { Category } from '../../contracts/streams.ts'
import { partitionName, topicPartitionOf, topicPartitionsOf } from '../../contracts/topics.ts'
import type { Database, Feed, FeedBatch, FeedSubscription } from '../../projections/runner/ports.ts'
import { upcast as upcastToCurrent } from '../eventStore/eventCodec.ts'
import { KafkaCarrier } from './kafkaCarrier.ts'
import type { KafkaMemberOptions } from './kafkaMember.ts'
import { readFeedId } from './relayProgress.ts'
import { Subscriber } from './subscriber.ts'
import { requireCategory } from './topicMessages.ts'

export type KafkaFeedOptions = Omit<KafkaMemberOptions, 'upcast'> & {
  /** Default: the upcasters of the product's events. */
  readonly upcast?: KafkaMemberOptions['upcast']
  readonly database: Pick<Database, 'query'>
}

const RETRY_DELAY_MS = 1_000

/**
 * The feed through Kafka: messages published by the relay, plus the event store for events that are missing there.
 * Subscribers store their own positions; the committed offsets of a group only say where to start reading.
 */
export function kafkaFeed(options: KafkaFeedOptions): Feed {
  const { clock, log, store, database, upcast = upcastToCurrent } = options
  const carriers = new Map<string, KafkaCarrier>()
  let feedId: Promise<string> | null = null
  const knownFeedId = () => {
    feedId ??= readFeedId(database).catch((error: unknown) => {
      feedId = null
      throw error
    })
    return feedId
  }
  const carrierOf = ({ consumer, shared, categories, carrier }: FeedSubscription): KafkaCarrier => {
    const group = { shared, ...(carrier ?? { name: consumer, categories }) }
    const found = carrier && carriers.get(carrier.name)
    const own = found ?? new KafkaCarrier({ ...options, upcast }, group, knownFeedId)
    if (carrier) carriers.set(carrier.name, own)
    return own
  }
  return {
    partitionsOf: (categories) => categories.map(requireCategory).flatMap(topicPartitionsOf).map(partitionName),
    partitionOf: (stream) => {
      const place = topicPartitionOf(stream)
      if (!place) throw new Error(`stream ${stream} has no topic: its category is unknown`)
      return partitionName(place)
    },
    idsAreUnique: store.idsAreUnique,
    subscribe: async function* <C extends Category>(subscription: FeedSubscription<C>) {
      const { signal } = subscription
      const carrier = carrierOf(subscription)
      const given = new Map<string, Position>()
      while (!signal.aborted) {
        const batches = carrier.carry(new Subscriber({ subscription, given, store, log, upcast }))
        // A partition holds events of one category, and only partitions of the subscribed categories are read.
        yield* batches as AsyncIterable<FeedBatch<EventOf<C>>>
        await clock.delay(RETRY_DELAY_MS, signal)
      }
    },
  }
}
