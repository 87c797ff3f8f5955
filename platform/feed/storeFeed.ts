import type { Category } from '../../contracts/streams.ts'
import type { Feed, FeedSubscription } from '../../projections/runner/ports.ts'
import type { TypedEventStore } from '../eventStore/port.ts'

/** The store has one order of events, so the feed has one partition. */
const PARTITION = 'all'

/** The embedded feed: directly from the event store. */
export function storeFeed(store: TypedEventStore): Feed {
  return {
    partitionsOf: () => [PARTITION],
    partitionOf: () => PARTITION,
    idsAreUnique: store.idsAreUnique,
    subscribe: async function* <C extends Category>({ categories, reached, signal }: FeedSubscription<C>) {
      let after = await reached(PARTITION)
      for await (const { events, position } of store.subscribe({ after, categories, signal })) {
        yield { partition: PARTITION, after, events, position }
        after = position
      }
    },
  }
}
