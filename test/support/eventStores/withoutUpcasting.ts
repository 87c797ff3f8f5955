import type { EventStore, TypedEventStore } from '../../../platform/eventStore/port.ts'

/** For tests with invented events that are not in the catalogue: events are read as written. */
export function withoutUpcasting(store: EventStore): TypedEventStore {
  return store as TypedEventStore
}
