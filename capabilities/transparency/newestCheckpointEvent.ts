import type { RecordedEvent } from '../../contracts/envelope.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import type { EventStore } from '../../platform/eventStore/port.ts'

/** The last event of the stream of checkpoints. */
export async function newestCheckpointEvent(store: Pick<EventStore, 'readStream'>): Promise<RecordedEvent | null> {
  for await (const event of store.readStream(CHECKPOINTS_STREAM, { direction: 'backwards', limit: 1 })) return event
  return null
}
