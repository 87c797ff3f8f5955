import type { NewEvent } from '../../contracts/envelope.ts'
import type { Clock } from '../clock/clock.ts'
import { settlesWithin } from '../clock/within.ts'
import { AppendsUnderWay } from './appendsUnderWay.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  EventRefused,
  type EventStore,
  type ExpectedRevision,
  type MayBeSent,
  StoreUnavailable,
  WrongExpectedRevision,
} from './port.ts'
import { SharedStreamSearch } from './sharedStreamSearch.ts'

/** How long the caller of an append waits for an unknown outcome to be settled. */
const APPEND_PURSUIT_MS = 10_000

const RETRY_DELAY_MS = 100
const STREAMS_REMEMBERED_MAX = 10_000
/** How many attempts at an exact revision may fail because of other appends before "any" is tried again. */
const EXACT_CONFLICTS_MAX = 3

/** The outcome was still unknown when the pursuit timed out. `settled` settles as soon as it is known. */
export class AppendStillUnknown extends Error {
  readonly settled: Promise<AppendResult>
  /** The first revision that the events can have. */
  readonly from: number
  /** Abandons the pursuit: nothing more is sent, and `settled` settles with the running attempt. */
  readonly giveUp: () => void

  constructor(stream: string, from: number, settled: Promise<AppendResult>, giveUp: () => void) {
    super(`the outcome of an append to ${stream} is still unknown; the pursuit continues`)
    this.name = 'AppendStillUnknown'
    this.settled = settled
    this.from = from
    this.giveUp = giveUp
  }
}

type Search = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
  readonly mayBeSent: MayBeSent | undefined
  /** The first revision that the events can have. */
  from: number
  /** Also true while an attempt is under way. */
  mayBeStored: boolean
  /** How often another append came between a search and the attempt that followed it. */
  conflicts: number
}

/**
 * Appends until the outcome is certain. After a time-out or a lost connection, a store with unique ids simply gets the
 * same append again. Any other store is searched for the ids of the events, from the last known revision. If they are
 * not found, the append is repeated at exactly the revision where the search ended: if the first attempt is stored
 * late, the second one then fails instead of being stored twice. On a busy stream every other append makes it fail as
 * well, so after a few conflicts the events are sent with "any" again. The store nearly always still knows their ids,
 * and folds, projections and the audit count an event id once.
 */
export class PursuingAppender {
  readonly #store: EventStore
  readonly #clock: Clock
  readonly #pursuitMs: number
  readonly #lastKnown = new Map<string, number>()
  readonly #search: SharedStreamSearch
  readonly #underWay: AppendsUnderWay

  constructor(store: EventStore, clock: Clock, pursuitMs: number = APPEND_PURSUIT_MS) {
    this.#store = store
    this.#clock = clock
    this.#pursuitMs = pursuitMs
    this.#search = new SharedStreamSearch(store)
    this.#underWay = new AppendsUnderWay(clock)
  }

  /** The store is unavailable or overloaded, and more appends would slow its recovery. */
  get isHeldUp(): boolean {
    return this.#underWay.isHeldUp
  }

  /** When the store last answered an append, in monotonic milliseconds. */
  get answeredAtMs(): number {
    return this.#underWay.answeredAtMs
  }

  /**
   * Rejects with WrongExpectedRevision, EventRefused or StoreUnavailable if nothing is stored, and with
   * AppendStillUnknown when the pursuit times out. Every attempt asks `mayBeSent`.
   */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    // Determined before anything is sent, because another append may follow this one in the stream.
    const search: Search = {
      stream,
      expected,
      events,
      mayBeSent,
      from: typeof expected === 'number' ? expected + 1 : (this.#lastKnown.get(stream) ?? -1) + 1,
      mayBeStored: false,
      conflicts: 0,
    }
    const done = this.#underWay.begin()
    try {
      return await this.#attempt(search, expected)
    } catch (error) {
      if (!isTemporary(error) || isOver(search)) throw error
      return await this.#pursueForAWhile(search, error)
    } finally {
      done()
    }
  }

  /**
   * Like append with "any", for an event whose id may already belong to another event, perhaps from a process that is
   * gone, which was sent to the stream when its next revision was `from`. The result is then that event's.
   */
  appendUnlessStored(stream: string, event: NewEvent, from: number): Promise<AppendResult> {
    const events = [event]
    return this.#pursueForAWhile(
      { stream, expected: 'any', events, mayBeSent: undefined, from, mayBeStored: true, conflicts: 0 },
      null,
    )
  }

  async #pursueForAWhile(search: Search, firstFailure: Error | null): Promise<AppendResult> {
    const giveUp = new AbortController()
    const firstRevision = search.from
    const pursuit = this.#pursue(search, giveUp.signal)
    // A later failure must not crash the process if the caller ignores `settled`.
    pursuit.catch(() => {})
    if (await settlesWithin(pursuit, this.#pursuitMs, this.#clock)) return pursuit
    if (search.mayBeStored || !firstFailure) {
      throw new AppendStillUnknown(search.stream, firstRevision, pursuit, () => giveUp.abort())
    }
    // Nothing was ever sent, so nothing can be stored.
    giveUp.abort()
    throw firstFailure
  }

  async #pursue(search: Search, giveUp: AbortSignal): Promise<AppendResult> {
    let conflict: WrongExpectedRevision | null = null
    for (;;) {
      await this.#clock.delay(RETRY_DELAY_MS, giveUp)
      if (giveUp.aborted) throw new StoreUnavailable(`the append to ${search.stream} was canceled`)
      try {
        // An append that was never sent is not searched for, which spares a recovering store.
        const found = this.#store.idsAreUnique || !search.mayBeStored ? null : await this.#find(search)
        if (found) return found
        if (conflict) throw conflict
        if (giveUp.aborted) throw new StoreUnavailable(`the append to ${search.stream} was canceled`)
        return await this.#attempt(search, this.#expectedAgain(search))
      } catch (error) {
        if (giveUp.aborted || error === conflict || error instanceof EventRefused) throw error
        if (error instanceof WrongExpectedRevision) {
          if (this.#store.idsAreUnique) throw error
          // The other append may have been our own first attempt: search again before reporting a conflict.
          conflict = search.expected === 'any' ? null : error
          search.conflicts++
        } else if (isOver(search) || (!search.mayBeStored && !isTemporary(error))) {
          // Once the events may be stored, only finding them or a conflict ends the pursuit, not a failed search.
          throw error
        }
      }
    }
  }

  #expectedAgain({ expected, from, mayBeStored, conflicts }: Search): ExpectedRevision {
    if (this.#store.idsAreUnique || expected !== 'any' || !mayBeStored) return expected
    if (conflicts >= EXACT_CONFLICTS_MAX) return expected
    return from === 0 ? 'none' : from - 1
  }

  async #attempt(search: Search, expected: ExpectedRevision): Promise<AppendResult> {
    const { mayBeStored } = search
    search.mayBeStored = true
    try {
      const result = await this.#store.append(search.stream, expected, search.events, search.mayBeSent)
      this.#underWay.answered()
      this.#remember(search.stream, result.revision)
      return result
    } catch (error) {
      if (storedNothing(error)) search.mayBeStored = mayBeStored
      // A store that refuses an append is available.
      if (error instanceof WrongExpectedRevision || error instanceof EventRefused) this.#underWay.answered()
      throw error
    }
  }

  /** Continues where the last search ended: new events only appear after it. */
  async #find(search: Search): Promise<AppendResult | null> {
    const { found, next } = await this.#search.find(search.stream, search.events.at(-1)?.id ?? '', search.from)
    if (found) this.#remember(search.stream, found.revision)
    search.from = next
    return found
  }

  #remember(stream: string, revision: number): void {
    if ((this.#lastKnown.get(stream) ?? -1) >= revision) return
    this.#lastKnown.delete(stream)
    this.#lastKnown.set(stream, revision)
    if (this.#lastKnown.size > STREAMS_REMEMBERED_MAX) {
      const [oldest] = this.#lastKnown.keys()
      if (oldest !== undefined) this.#lastKnown.delete(oldest)
    }
  }
}

/** Nothing is stored, and nothing may be sent any more. */
function isOver({ mayBeStored, mayBeSent }: Search): boolean {
  return !mayBeStored && mayBeSent?.() === false
}

/** Whether this attempt certainly stored nothing. */
function storedNothing(error: unknown): boolean {
  return error instanceof WrongExpectedRevision || error instanceof EventRefused || error instanceof StoreUnavailable
}

/** Whether the failure may be temporary: the store is unavailable or the outcome unknown. Driver errors have a code. */
function isTemporary(error: unknown): error is Error {
  if (error instanceof AppendOutcomeUnknown || error instanceof StoreUnavailable) return true
  return (
    error instanceof Error &&
    !storedNothing(error) &&
    ('code' in error || /connect|terminat|timeout/i.test(error.message))
  )
}
