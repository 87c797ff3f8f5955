import { EVENT_DATA_BYTES_MAX, EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import type { SavedEvent } from '../backup/savedEvent.ts'

/** The limits of a batch: it fits into one group commit, which keeps its order. */
export const RESTORE_BATCH_EVENTS_MAX = 2_000
export const RESTORE_BATCH_BYTES_MAX = 2 * 1024 * 1024

/** Events of one stream that can be sent as one append. */
export type SavedAppend = { readonly stream: string; readonly events: readonly SavedEvent[] }

type OpenAppend = { readonly stream: string; readonly events: SavedEvent[]; bytes: number }

/** Every store accepts an append of this size: its largest event, or many small ones. */
const APPEND_BYTES_MAX = EVENT_DATA_BYTES_MAX

export type BatchOptions = {
  readonly eventsMax: number
  readonly appendsMax: number
  /** Whether events of one stream are combined even if other events are in between, which takes far fewer appends. */
  readonly byStream: boolean
}

/**
 * Groups appends that can be sent together and are still stored in order. An id that occurs twice, as it may in two
 * streams, starts the next batch: a group commit would store the second one after those that follow it.
 */
export async function* batchesOf(
  pages: AsyncIterable<readonly SavedLine[]> | Iterable<readonly SavedLine[]>,
  options: BatchOptions,
): AsyncIterable<SavedAppend[]> {
  let batch = new Batch(options)
  for await (const lines of pages) {
    for (const line of lines) {
      if (batch.isFull(line)) {
        yield batch.appends
        batch = new Batch(options)
      }
      batch.add(line)
    }
  }
  if (batch.appends.length > 0) yield batch.appends
}

class Batch {
  readonly appends: OpenAppend[] = []
  readonly #options: BatchOptions
  readonly #lastOf = new Map<string, OpenAppend>()
  readonly #ids = new Set<string>()
  #bytes = 0

  constructor(options: BatchOptions) {
    this.#options = options
  }

  isFull(line: SavedLine): boolean {
    return (
      this.#ids.size >= this.#options.eventsMax ||
      (this.#bytes > 0 && this.#bytes + line.bytes > RESTORE_BATCH_BYTES_MAX) ||
      this.#ids.has(line.event.id) ||
      (this.appends.length >= this.#options.appendsMax && !this.#appendFor(line))
    )
  }

  add(line: SavedLine): void {
    const { event, bytes } = line
    let append = this.#appendFor(line)
    if (!append) {
      append = { stream: event.stream, events: [], bytes: 0 }
      this.appends.push(append)
      this.#lastOf.set(event.stream, append)
    }
    append.events.push(event)
    append.bytes += bytes
    this.#bytes += bytes
    this.#ids.add(event.id)
  }

  /** The append that the event can join. */
  #appendFor({ event, bytes }: SavedLine): OpenAppend | null {
    const append = this.#lastOf.get(event.stream)
    if (!append || (!this.#options.byStream && append !== this.appends.at(-1))) return null
    const takesMore = append.events.length < EVENTS_PER_APPEND_MAX && append.bytes + bytes <= APPEND_BYTES_MAX
    return takesMore ? append : null
  }
}
