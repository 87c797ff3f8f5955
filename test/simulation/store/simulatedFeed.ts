import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { type Category, categoryOf } from '../../../contracts/streams.ts'
import type { EventBatch } from '../../../platform/eventStore/port.ts'
import type { Feed, FeedBatch, FeedSubscription } from '../../../projections/runner/ports.ts'
import type { Partition } from './deliveries.ts'
import type { SimulatedStore } from './simulatedStore.ts'

/** A feed of several partitions, which are delivered independently of each other, as over Kafka. */
export function simulatedFeed(store: SimulatedStore, count: number): Feed {
  const names = Array.from({ length: count }, (_, n) => `part-${n}`)
  const partitionOf = (stream: string) => names[sumOf(stream) % count] as string
  const partitions = names.map((name): Partition => ({ name, has: (stream) => partitionOf(stream) === name }))
  return {
    partitionsOf: () => names,
    partitionOf,
    idsAreUnique: store.idsAreUnique,
    subscribe: <C extends Category>({ categories, reached, signal }: FeedSubscription<C>) => {
      const isChosen = ({ stream }: { stream: string }) =>
        (categories as readonly string[]).includes(categoryOf(stream))
      return merged(
        partitions.map(async function* (partition) {
          let after = await reached(partition.name)
          for await (const batch of store.deliveries.of(partition, after, isChosen, signal)) {
            const { events, position } = batch as EventBatch<EventOf<C>>
            yield { partition: partition.name, after, events, position } satisfies FeedBatch<EventOf<C>>
            after = position
          }
        }),
      )
    },
  }
}

function sumOf(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) >>> 0
  return sum
}

/** The batches of all sources, as they come. If one of them fails, all end. */
async function* merged<Item>(sources: readonly AsyncIterable<Item>[]): AsyncIterable<Item> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]())
  const next = (at: number) => (iterators[at] as AsyncIterator<Item>).next().then((result) => ({ at, result }))
  const waiting = new Map(iterators.map((_, at) => [at, next(at)]))
  try {
    while (waiting.size > 0) {
      const { at, result } = await Promise.race(waiting.values())
      if (result.done) waiting.delete(at)
      else {
        waiting.set(at, next(at))
        yield result.value
      }
    }
  } finally {
    for (const pending of waiting.values()) pending.catch(() => {})
    for (const iterator of iterators) void iterator.return?.()
  }
}
