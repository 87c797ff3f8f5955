import { UUID_SOURCE } from '../../contracts/uuid.ts'
import { withMetadata } from '../backup/eventLine.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { RESTORE_BATCH_EVENTS_MAX } from './batches.ts'
import { EntryOrder } from './entryOrder.ts'
import { IndexesById } from './indexesById.ts'

/** Streams that do not belong to a company are not part of the log. */
const LEDGER_STREAM = new RegExp(`^ledger-${UUID_SOURCE}$`)

/**
 * Gives every ledger event its index in the transparency log, which a restored event keeps in its metadata: a restore does
 * not keep the order of events of different streams in every store, but the log must.
 *
 * The log seals restored events by their index and all others after them, in the order of the store. So an event
 * without an index in the file is preceded by exactly the distinct ledger events before it there. A store without
 * unique ids may hold an event twice; the copy gets the index of the first one.
 */
export class EntryIndexes {
  readonly #known: IndexesById | null
  #size = 0

  constructor({ idsAreUnique }: { readonly idsAreUnique: boolean }) {
    this.#known = idsAreUnique ? null : new IndexesById()
  }

  /** The number of distinct ledger events so far. */
  get size(): number {
    return this.#size
  }

  async *of(
    pages: AsyncIterator<readonly SavedLine[], unknown, void>,
  ): AsyncGenerator<readonly SavedLine[], void, void> {
    const order = new EntryOrder(RESTORE_BATCH_EVENTS_MAX)
    for (let next = await pages.next(); !next.done; next = await pages.next()) {
      const inOrder: SavedLine[] = []
      for (const line of next.value) order.add(this.#indexed(line), inOrder)
      if (inOrder.length > 0) yield inOrder
    }
    yield order.end()
  }

  #indexed(line: SavedLine): SavedLine {
    const { event, bytes } = line
    if (!LEDGER_STREAM.test(event.stream)) return line
    const saved = event.metadata.logIndex ?? this.#size
    const logIndex = this.#known?.addOrFind(event.stream, event.id, saved) ?? null
    if (logIndex === null) this.#size++
    return { event: withMetadata(event, { ...event.metadata, logIndex: logIndex ?? saved }), bytes }
  }
}
