import type { Position } from '../../../contracts/position.ts'
import { partitionName, topicPartitionOf, topicPartitionsOf } from '../../../contracts/topics.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { type KafkaFeedOptions, KafkaSession, requireCategory } from './kafkaSession.ts'
import { readFeedId } from './relayProgress.ts'

const RETRY_DELAY_MS = 1_000

/**
 * The feed through Kafka: what the relay has published, as far as it goes, and the event store for the rest. Where a
 * subscriber stands is its own affair; the offsets that a group commits say only where in the topic to look first.
 */
export function kafkaFeed(options: KafkaFeedOptions): Feed {
  const { clock, log, store, database } = options
  let feedId: Promise<string> | null = null
  const knownFeedId = () => {
    feedId ??= readFeedId(database).catch((error: unknown) => {
      feedId = null
      throw error
    })
    return feedId
  }
  return {
    partitionsOf: (categories) => categories.map(requireCategory).flatMap(topicPartitionsOf).map(partitionName),
    partitionOf: (stream) => {
      const place = topicPartitionOf(stream)
      if (!place) throw new Error(`stream ${stream} belongs to no topic`)
      return partitionName(place)
    },
    idsAreUnique: store.idsAreUnique,
    subscribe: async function* (subscription) {
      const { consumer, signal } = subscription
      const given = new Map<string, Position>()
      let failures = 0
      while (!signal.aborted) {
        let session: KafkaSession | null = null
        try {
          session = new KafkaSession(options, subscription, await knownFeedId(), given)
          // Who reads for itself has the store's events also when Kafka is away, only later.
          if (!subscription.shared) yield* session.straightFromStore()
          for await (const batch of session.batches()) {
            yield batch
            failures = 0
          }
        } catch (error) {
          if (signal.aborted) return
          failures++
          // Once for each time that Kafka is away; what the next attempt gets over, as when a broker starts, is no news.
          const message = 'a consumer of the feed has lost Kafka, or finds no topics yet, and tries again'
          log[failures === 2 ? 'warn' : 'debug']({ err: error, consumer }, message)
        } finally {
          await session?.close()
        }
        await clock.delay(RETRY_DELAY_MS, signal)
      }
    },
  }
}
