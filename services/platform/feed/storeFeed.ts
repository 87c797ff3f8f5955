import type { Feed } from '../../../projections/runner/ports.ts'
import type { EventStore } from '../eventStore/port.ts'

/** The store's one order is the feed's one partition. */
const PARTITION = 'all'

/** The embedded feed: straight from the event store, no bus in between. */
export function storeFeed(store: EventStore): Feed {
  return {
    partitionsOf: () => [PARTITION],
    partitionOf: () => PARTITION,
    idsAreUnique: store.idsAreUnique,
    subscribe: async function* ({ categories, reached, signal }) {
      let after = await reached(PARTITION)
      for await (const { events, position } of store.subscribe({ after, categories, signal })) {
        yield { partition: PARTITION, after, events, position }
        after = position
      }
    },
  }
}
