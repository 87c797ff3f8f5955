import type { Recorded, RecordedEvent } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Category, StreamName } from '../../contracts/streams.ts'
import { upcast } from './eventCodec.ts'
import type {
  EventBatch,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  SubscribeOptions,
  TypedEventStore,
} from './port.ts'

/** The same store, read through the upcasters: its readers see current versions only. */
export function withUpcasting(store: EventStore): TypedEventStore {
  return {
    idsAreUnique: store.idsAreUnique,
    append: (stream, expected, events, mayBeSent) => store.append(stream, expected, events, mayBeSent),
    readStream: async function* <C extends Category>(stream: StreamName<C>, options?: ReadStreamOptions) {
      for await (const event of store.readStream(stream, options)) yield current<C>(event)
    },
    foreignEvents: (stream) => store.foreignEvents(stream),
    readAll: async <C extends Category = Category>(options: ReadAllOptions<C>) =>
      currentBatch<C>(await store.readAll(options)),
    subscribe: async function* <C extends Category = Category>(options: SubscribeOptions<C>) {
      for await (const batch of store.subscribe(options)) yield currentBatch<C>(batch)
    },
    head: () => store.head(),
    parsePosition: (text) => store.parsePosition(text),
    eventsAfter: (position) => store.eventsAfter(position),
    close: () => store.close(),
  }
}

function currentBatch<C extends Category>({ events, position }: EventBatch): EventBatch<EventOf<C>> {
  return { events: events.map((event) => current<C>(event)), position }
}

/** An event restored from a backup keeps the time at which it was first stored. */
function current<C extends Category>(event: RecordedEvent): Recorded<EventOf<C>> {
  const { recordedAt } = event.metadata
  return upcast<C>(recordedAt === undefined ? event : { ...event, recordedAt })
}
