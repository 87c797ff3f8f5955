import { BEGINNING } from '../../../contracts/position.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import type { EventStore } from '../eventStore/port.ts'

/** The store's one order is the feed's one partition. */
const PARTITION = 'all'

/** The embedded feed: straight from the event store, no bus in between. */
export function storeFeed(store: EventStore): Feed {
  return {
    partitions: [PARTITION],
    idsAreUnique: store.idsAreUnique,
    subscribe: async function* ({ categories, from, signal }) {
      const after = from[PARTITION] ?? BEGINNING
      for await (const { events, position } of store.subscribe({ after, categories, signal })) {
        yield { partition: PARTITION, events, position }
      }
    },
  }
}
