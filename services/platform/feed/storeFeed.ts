import type { Feed } from '../../../projections/runner/ports.ts'
import type { EventStore } from '../eventStore/port.ts'

/** The store has one order of events, so the feed has one partition. */
const PARTITION = 'all'

/** The embedded feed: directly from the event store. */
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
