import type { EventStore, TypedEventStore } from '../../../platform/eventStore/port.ts'

/** For tests that store made-up events, which the catalogue does not know: they are read as they were written. */
export function withoutUpcasting(store: EventStore): TypedEventStore {
  return store as TypedEventStore
}
