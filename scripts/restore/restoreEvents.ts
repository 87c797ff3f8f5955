import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import {
  type BulkEvents,
  EventRefused,
  type EventStore,
  type EventText,
  type ExpectedRevision,
  WrongExpectedRevision,
} from '../../platform/eventStore/port.ts'
import { APPENDS_PER_COMMIT_MAX } from '../../platform/eventStore/postgres/groupCommit.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { READ_PAGE_EVENTS_MAX } from '../../platform/eventStore/storeLimits.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { isRestored, restoredEvent, type SavedEvent } from '../backup/savedEvent.ts'
import { type BatchOptions, batchesOf, RESTORE_BATCH_EVENTS_MAX, type SavedAppend } from './batches.ts'
import { EntryIndexes } from './entryIndexes.ts'
import { ReadAhead } from './readAhead.ts'
import { SavedLines } from './savedLines.ts'
import { takeStored, textOf } from './storedTexts.ts'

export type RestoreOptions = {
  /** Without upcasting, like the store that was saved. */
  readonly store: EventStore
  readonly lines: AsyncIterator<readonly SavedLine[], unknown, void>
  /** Whether the saved store kept ids unique within a stream. */
  readonly savedIdsAreUnique: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
  /** At most RESTORE_BATCH_EVENTS_MAX, the default; less in tests. */
  readonly batchEventsMax?: number
  /** Called once, before the first event is written, but not if no event is missing. */
  beforeWriting(): Promise<void>
  onProgress(events: number): void
}

export type Restored = {
  /** The number of events that an interrupted restore had already stored. */
  readonly found: number
  readonly appended: number
  /** The number of duplicates that were skipped, because this store keeps ids unique. */
  readonly copies: number
  /** The number of entries that these events have in the transparency log: duplicates count once. */
  readonly logSize: number
}

/** A batch takes a fraction of a second. */
const BULK_MS_MAX = 30_000

const START_OVER = 'Stop every Tollgate process that uses it, empty it, and restore again'

/**
 * Restores the events of a backup into a store that is empty or contains the first of them, and refuses any other store
 * before it writes. A batch is sent only after the previous one is stored, so an interruption leaves the first events
 * of the file, except for the order within one batch.
 */
export function restoreEvents(options: RestoreOptions): Promise<Restored> {
  return new Restoration(options).run()
}

class Restoration {
  readonly #options: RestoreOptions
  readonly #store: EventStore
  readonly #appender: PursuingAppender
  readonly #logIndexes: EntryIndexes
  readonly #lines: SavedLines
  /** null if ids alone do not make an append idempotent. */
  readonly #bulk: BulkEvents | null
  /** Known once events are written. */
  #head: Position | null = null
  readonly #eventsMax: number
  /** The file may contain duplicates that the store refuses. Appends are then sent one at a time to find them. */
  readonly #leavesCopiesOut: boolean
  /** The number of duplicates and foreign events omitted from each stream, by which its revisions are lower here. */
  readonly #leftOut = new Map<string, number>()
  #found = 0
  #appended = 0
  #copies = 0

  constructor(options: RestoreOptions) {
    this.#options = options
    this.#store = options.store
    this.#appender = new PursuingAppender(options.store, options.clock)
    this.#logIndexes = new EntryIndexes({ idsAreUnique: options.savedIdsAreUnique })
    this.#lines = new SavedLines(this.#logIndexes.of(options.lines))
    const { bulk = null } = options.store
    this.#bulk = options.savedIdsAreUnique ? bulk : null
    this.#eventsMax = options.batchEventsMax ?? RESTORE_BATCH_EVENTS_MAX
    this.#leavesCopiesOut = options.store.idsAreUnique && !options.savedIdsAreUnique
  }

  async run(): Promise<Restored> {
    const missing = await this.#compareStored()
    let writing: Promise<void> | null = null
    for await (const batch of this.#batches(missing)) {
      const texts = this.#bulk ? this.#textsOf(batch) : null
      if (writing === null) await this.#options.beforeWriting()
      await writing
      this.#options.signal.throwIfAborted()
      // The next batch is read meanwhile, but sent only after this one has succeeded.
      writing = this.#bulk && texts ? this.#writeTexts(this.#bulk, texts, batch) : this.#write(batch)
      writing.catch(() => {})
    }
    await writing
    return { found: this.#found, appended: this.#appended, copies: this.#copies, logSize: this.#logIndexes.size }
  }

  /**
   * The missing events form their own batches. So however often a restore is interrupted, all events of a batch are
   * stored before any of the next, and no event is further out of place than the size of a batch.
   */
  async *#batches(missing: readonly SavedLine[]): AsyncIterable<SavedAppend[]> {
    yield* batchesOf([missing], this.#batchOptions)
    yield* batchesOf(this.#lines.rest(), this.#batchOptions)
  }

  get #batchOptions(): BatchOptions {
    return {
      eventsMax: this.#eventsMax,
      // A store without unique ids checks revisions and answers each append separately, so fewer appends are faster.
      appendsMax: this.#leavesCopiesOut ? 1 : this.#bulk ? this.#eventsMax : APPENDS_PER_COMMIT_MAX,
      byStream: !this.#store.idsAreUnique,
    }
  }

  /**
   * Compares every event of the store with the file. Returns the events of the file that were skipped because of the
   * order within a batch: they are missing.
   */
  async #compareStored(): Promise<SavedLine[]> {
    const ahead = new ReadAhead(this.#leavesCopiesOut ? 1 : this.#eventsMax)
    for await (const stored of this.#storedEvents(await this.#takeStored())) {
      for (;;) {
        const saved = ahead.find(stored)
        if (saved && isRestored(saved.event, stored)) {
          ahead.take(saved, stored)
          break
        }
        const gap = saved ? 0 : ahead.closeGap(stored)
        if (gap > 0) {
          this.#lower(stored.stream, gap)
          continue
        }
        if (!saved && ahead.takesMore) {
          const next = await this.#lines.next()
          if (!next) throw foreign(stored)
          ahead.add(next, this.#revisionOf(next.event))
          continue
        }
        const [first] = ahead.lines
        if (!this.#leavesCopiesOut || !first || !(await this.#isCopy(first.event))) throw foreign(stored)
        ahead.clear()
        this.#leaveOut(first.event)
      }
      this.#found++
      this.#reportProgress()
    }
    return ahead.lines
  }

  #takeStored(): Promise<Position> | Position {
    if (!this.#bulk) return BEGINNING
    const onTaken = (events: number) => {
      this.#found += events
      this.#reportProgress()
    }
    return takeStored(this.#bulk, this.#lines, { signal: this.#options.signal, onTaken })
  }

  async *#storedEvents(from: Position): AsyncIterable<RecordedEvent> {
    let after = from
    for (;;) {
      this.#options.signal.throwIfAborted()
      const page = await this.#store.readAll({ after, limit: READ_PAGE_EVENTS_MAX })
      yield* page.events
      if (page.position === after) return
      after = page.position
    }
  }

  #textsOf(batch: readonly SavedAppend[]): EventText[] {
    return batch.flatMap(({ events }) => events.map((event) => textOf(event, this.#revisionOf(event))))
  }

  /** A batch that cannot be stored in bulk, or may have been, is sent as appends, which find what is stored. */
  async #writeTexts(bulk: BulkEvents, texts: readonly EventText[], batch: readonly SavedAppend[]): Promise<void> {
    try {
      this.#head ??= await this.#store.head()
      this.#head = await within(bulk.append(this.#head, texts), BULK_MS_MAX, this.#options.clock)
    } catch {
      this.#head = null
      return this.#write(batch)
    }
    this.#appended += texts.length
    this.#reportProgress()
  }

  /** Sends all appends at once and, if one fails, all again one by one, which does not affect those already stored. */
  async #write(batch: readonly SavedAppend[]): Promise<void> {
    const results = await Promise.allSettled(batch.map((append) => this.#appendWithOthers(append)))
    if (results.every(({ status }) => status === 'fulfilled')) {
      for (const { events } of batch) this.#appended += events.length
      this.#reportProgress()
    } else {
      for (const append of batch) await this.#appendInTurn(append)
    }
  }

  /**
   * If both stores keep ids unique, the ids alone make an append idempotent. Without expected revisions, several appends
   * to one stream can share a commit, which keeps their order; the revision is checked afterwards.
   */
  async #appendWithOthers({ stream, events }: SavedAppend): Promise<void> {
    const byIds = this.#store.idsAreUnique && this.#options.savedIdsAreUnique
    const expected = byIds ? 'any' : this.#revisionBefore(events)
    const { revision } = await this.#store.append(stream, expected, events.map(restoredEvent))
    if (revision !== this.#lastRevision(events)) throw new Error(`an append to ${stream} ended at revision ${revision}`)
  }

  async #appendInTurn(append: SavedAppend): Promise<void> {
    const { stream, events } = append
    this.#options.signal.throwIfAborted()
    try {
      await this.#appender.append(stream, this.#revisionBefore(events), events.map(restoredEvent))
      this.#appended += events.length
      this.#reportProgress()
    } catch (error) {
      const { message } = error as Error
      if (this.#closeGap(append, error)) return this.#appendInTurn(append)
      const isFinal = error instanceof WrongExpectedRevision || error instanceof EventRefused
      if (!isFinal) throw new Error(`${message}; run the restore again to continue`)
      if (!this.#leavesCopiesOut || !(await this.#appendWithoutCopies(append))) {
        throw new Error(`${message}: another process may be writing to this store. ${START_OVER}`)
      }
    }
  }

  /** False if the append was refused for a reason other than a duplicate. */
  async #appendWithoutCopies({ stream, events }: SavedAppend): Promise<boolean> {
    const [first, ...others] = events
    if (!first) return false
    if (others.length > 0) {
      for (const event of events) await this.#appendInTurn({ stream, events: [event] })
      return true
    }
    if (!(await this.#isCopy(first))) return false
    this.#leaveOut(first)
    this.#reportProgress()
    return true
  }

  /**
   * Whether the stream ends before the revision that the append expects. Everything before it in the file is stored, so
   * the revisions in between belonged to events that another application had written to the saved stream.
   */
  #closeGap({ stream, events }: SavedAppend, error: unknown): boolean {
    const before = this.#revisionBefore(events)
    if (!(error instanceof WrongExpectedRevision) || before === 'none' || before === 'any') return false
    const gap = before - (error.actual ?? -1)
    if (gap <= 0) return false
    this.#lower(stream, gap)
    return true
  }

  async #isCopy(event: SavedEvent): Promise<boolean> {
    const { stream, id } = event
    const place = this.#revisionOf(event)
    for await (const stored of this.#store.readStream(stream)) {
      if (stored.revision >= place) return false
      if (stored.id === id) return true
    }
    return false
  }

  #lower(stream: string, by: number): void {
    this.#leftOut.set(stream, (this.#leftOut.get(stream) ?? 0) + by)
  }

  #leaveOut({ stream }: SavedEvent): void {
    this.#lower(stream, 1)
    this.#copies++
  }

  #revisionOf({ stream, revision }: SavedEvent): number {
    return revision - (this.#leftOut.get(stream) ?? 0)
  }

  #revisionBefore([first]: SavedAppend['events']): ExpectedRevision {
    const before = first ? this.#revisionOf(first) - 1 : -1
    return before < 0 ? 'none' : before
  }

  #lastRevision(events: SavedAppend['events']): number {
    const last = events.at(-1)
    return last ? this.#revisionOf(last) : -1
  }

  #reportProgress(): void {
    this.#options.onProgress(this.#found + this.#appended + this.#copies)
  }
}

function foreign({ stream, revision, type, id }: RecordedEvent): Error {
  return new Error(
    `the event store holds ${type} ${id} at revision ${revision} of ${stream}, which is not in the file at that place: ` +
      'a restore needs an empty store',
  )
}
