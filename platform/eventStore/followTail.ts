import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Position } from '../../contracts/position.ts'
import { categoryOf } from '../../contracts/streams.ts'
import type { EventBatch, SubscribeOptions } from './port.ts'
import type { TailReader } from './recentEvents.ts'
import { READ_PAGE_EVENTS_MAX } from './storeLimits.ts'

/** The newest events of a store, which all subscribers of a thread share. */
export interface Tail {
  /** The current subscribers. Events are kept until all of them have read them, within limits. */
  readonly readers: Set<TailReader>
  /** Events of all categories; null if the tail does not reach back that far or is not running yet. */
  after(position: Position, limit: number): EventBatch | null
  /** Resolves when there may be events after the reader's position, or when the signal aborts. */
  more(position: Position, signal: AbortSignal): Promise<void>
}

/** One page of the chosen categories, read from the store itself. */
export type ReadPage = (after: Position) => Promise<EventBatch>

/** Reads pages from the store until the tail has what comes next, then reads the tail, until the signal aborts. */
export async function* followTail(
  tail: Tail,
  readPage: ReadPage,
  { after, categories, signal }: SubscribeOptions,
): AsyncIterable<EventBatch> {
  const reader = { position: after }
  tail.readers.add(reader)
  try {
    while (!signal.aborted) {
      const newest = tail.after(reader.position, READ_PAGE_EVENTS_MAX)
      const batch = newest ? ofCategories(newest, categories) : await readPage(reader.position)
      if (batch.position <= reader.position) {
        await tail.more(reader.position, signal)
        continue
      }
      reader.position = batch.position
      yield batch
    }
  } finally {
    tail.readers.delete(reader)
  }
}

export function ofCategories(batch: EventBatch, categories: readonly string[] | undefined): EventBatch {
  if (!categories) return batch
  const isChosen = ({ stream }: RecordedEvent) => categories.includes(categoryOf(stream))
  return { events: batch.events.filter(isChosen), position: batch.position }
}
