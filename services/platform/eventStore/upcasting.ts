import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { upcast } from '../commands/eventCodec.ts'
import type { EventBatch, EventStore } from './port.ts'

/** The same store, read through the upcasters: its readers see current versions only. */
export function withUpcasting(store: EventStore): EventStore {
  const upcastBatch = (batch: EventBatch): EventBatch => ({
    ...batch,
    events: batch.events.map(current),
  })
  return {
    idsAreUnique: store.idsAreUnique,
    append: (stream, expected, events) => store.append(stream, expected, events),
    readStream: async function* (stream, options) {
      for await (const event of store.readStream(stream, options)) yield current(event)
    },
    readAll: async (options) => upcastBatch(await store.readAll(options)),
    subscribe: async function* (options) {
      for await (const batch of store.subscribe(options)) yield upcastBatch(batch)
    },
    head: () => store.head(),
    parsePosition: (text) => store.parsePosition(text),
    eventsAfter: (position) => store.eventsAfter(position),
    close: () => store.close(),
  }
}

/** An event restored from a backup keeps the time at which it was first stored. */
function current(event: RecordedEvent): RecordedEvent {
  const { recordedAt } = event.metadata
  return upcast(recordedAt === undefined ? event : { ...event, recordedAt })
}
