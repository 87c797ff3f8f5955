import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import type { Clock } from '../../services/platform/clock/clock.ts'
import {
  EventRefused,
  type EventStore,
  type ExpectedRevision,
  WrongExpectedRevision,
} from '../../services/platform/eventStore/port.ts'
import { APPENDS_PER_COMMIT_MAX } from '../../services/platform/eventStore/postgres/groupCommit.ts'
import { PursuingAppender } from '../../services/platform/eventStore/pursuit.ts'
import { READ_PAGE_EVENTS_MAX } from '../../services/platform/eventStore/storeLimits.ts'
import type { SavedLine } from '../backup/readBackup.ts'
import { isRestored, restoredEvent, type SavedEvent } from '../backup/savedEvent.ts'
import { type BatchOptions, batchesOf, RESTORE_BATCH_EVENTS_MAX, type SavedAppend } from './batches.ts'
import { ReadAhead } from './readAhead.ts'

export type RestoreOptions = {
  /** Without upcasting, like the one that was saved. */
  readonly store: EventStore
  readonly lines: AsyncIterator<SavedLine, unknown, void>
  /** Whether the store that was saved kept no id twice in a stream. */
  readonly savedIdsAreUnique: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called once, before the first event is written; not when all of them are there. */
  beforeWriting(): Promise<void>
  onProgress(events: number): void
}

export type Restored = {
  /** There already, from a restore that was interrupted. */
  readonly found: number
  readonly appended: number
  /** Left out, because the store that was saved had them twice and this one keeps an id once. */
  readonly copies: number
}

const BEGIN_AGAIN = 'Stop every Tollgate on it, empty it, and restore again'

/**
 * Brings the events of a backup into a store that is empty, or holds a beginning of them, and refuses any other before
 * it writes. All appends of a batch are known to be stored before the next one goes out, so what an interruption leaves
 * differs from a beginning of the file by the order within one batch at most.
 */
export function restoreEvents(options: RestoreOptions): Promise<Restored> {
  return new Restoration(options).run()
}

class Restoration {
  readonly #options: RestoreOptions
  readonly #store: EventStore
  readonly #appender: PursuingAppender
  readonly #lines: AsyncIterator<SavedLine, unknown, void>
  /** Copies can be in the file and not in the store: one append at a time, so that each is found out in its place. */
  readonly #leavesCopiesOut: boolean
  /** By how much the revisions of a stream are lower here, for the copies that were left out of it. */
  readonly #lower = new Map<string, number>()
  #found = 0
  #appended = 0
  #copies = 0

  constructor(options: RestoreOptions) {
    this.#options = options
    this.#store = options.store
    this.#appender = new PursuingAppender(options.store, options.clock)
    this.#lines = options.lines
    this.#leavesCopiesOut = options.store.idsAreUnique && !options.savedIdsAreUnique
  }

  async run(): Promise<Restored> {
    const missing = await this.#compareStored()
    let writing: Promise<void> | null = null
    for await (const batch of batchesOf(this.#rest(missing), this.#batchOptions)) {
      if (writing === null) await this.#options.beforeWriting()
      await writing
      this.#options.signal.throwIfAborted()
      // The next batch is read meanwhile; how this one ends is heard before that one goes out.
      writing = this.#write(batch)
      writing.catch(() => {})
    }
    await writing
    return { found: this.#found, appended: this.#appended, copies: this.#copies }
  }

  get #batchOptions(): BatchOptions {
    // A store that may keep an id twice checks revisions, and answers each append by itself: the fewer, the faster.
    return { appendsMax: this.#leavesCopiesOut ? 1 : APPENDS_PER_COMMIT_MAX, byStream: !this.#store.idsAreUnique }
  }

  async *#rest(missing: readonly SavedLine[]): AsyncIterable<SavedLine> {
    yield* missing
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) yield next.value
  }

  /**
   * Holds every event of the store against the file. Those of the file that were passed over on the way, because of the
   * order within a batch, are the answer: they are missing.
   */
  async #compareStored(): Promise<SavedLine[]> {
    const ahead = new ReadAhead(this.#leavesCopiesOut ? 1 : RESTORE_BATCH_EVENTS_MAX)
    for await (const stored of this.#storedEvents()) {
      for (;;) {
        const saved = ahead.find(stored)
        if (saved && isRestored(saved.event, stored)) {
          ahead.take(saved, stored)
          break
        }
        if (!saved && ahead.takesMore) {
          const next = await this.#lines.next()
          if (next.done) throw foreign(stored)
          ahead.add(next.value, this.#revisionOf(next.value.event))
          continue
        }
        const [first] = ahead.lines
        if (!this.#leavesCopiesOut || !first || !(await this.#isCopy(first.event))) throw foreign(stored)
        ahead.clear()
        this.#leaveOut(first.event)
      }
      this.#found++
      this.#tellProgress()
    }
    return ahead.lines
  }

  async *#storedEvents(): AsyncIterable<RecordedEvent> {
    let after = BEGINNING
    for (;;) {
      this.#options.signal.throwIfAborted()
      const page = await this.#store.readAll({ after, limit: READ_PAGE_EVENTS_MAX })
      yield* page.events
      if (page.position === after) return
      after = page.position
    }
  }

  /** All at once, and when anything is wrong with that, again in turn, which changes nothing about those that are stored. */
  async #write(batch: readonly SavedAppend[]): Promise<void> {
    const results = await Promise.allSettled(batch.map((append) => this.#appendWithOthers(append)))
    if (results.every(({ status }) => status === 'fulfilled')) {
      for (const { events } of batch) this.#appended += events.length
      this.#tellProgress()
    } else {
      for (const append of batch) await this.#appendInTurn(append)
    }
  }

  /**
   * Where neither store keeps an id twice, ids alone make an append safe to repeat. Without revisions several to one
   * stream may share a commit, which stores them in their order; that they stand where they should is seen afterwards.
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
      this.#tellProgress()
    } catch (error) {
      const { message } = error as Error
      const isFinal = error instanceof WrongExpectedRevision || error instanceof EventRefused
      if (!isFinal) throw new Error(`${message}; run the restore again, it goes on from here`)
      if (!this.#leavesCopiesOut || !(await this.#appendWithoutCopies(append))) {
        throw new Error(`${message}: does somebody else write to this store? ${BEGIN_AGAIN}`)
      }
    }
  }

  /** False: it is not for a copy that the append was refused. */
  async #appendWithoutCopies({ stream, events }: SavedAppend): Promise<boolean> {
    const [first, ...others] = events
    if (!first) return false
    if (others.length > 0) {
      for (const event of events) await this.#appendInTurn({ stream, events: [event] })
      return true
    }
    if (!(await this.#isCopy(first))) return false
    this.#leaveOut(first)
    this.#tellProgress()
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

  #leaveOut({ stream }: SavedEvent): void {
    this.#lower.set(stream, (this.#lower.get(stream) ?? 0) + 1)
    this.#copies++
  }

  #revisionOf({ stream, revision }: SavedEvent): number {
    return revision - (this.#lower.get(stream) ?? 0)
  }

  #revisionBefore([first]: SavedAppend['events']): ExpectedRevision {
    const before = first ? this.#revisionOf(first) - 1 : -1
    return before < 0 ? 'none' : before
  }

  #lastRevision(events: SavedAppend['events']): number {
    const last = events.at(-1)
    return last ? this.#revisionOf(last) : -1
  }

  #tellProgress(): void {
    this.#options.onProgress(this.#found + this.#appended + this.#copies)
  }
}

function foreign({ stream, revision, type, id }: RecordedEvent): Error {
  return new Error(
    `the event store holds ${type} ${id} at revision ${revision} of ${stream}, which the file does not have there: ` +
      'a restore needs an empty store',
  )
}
