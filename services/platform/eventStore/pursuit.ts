import type { NewEvent } from '../../../contracts/envelope.ts'
import type { Clock } from '../clock/clock.ts'
import { AppendsUnderWay } from './appendsUnderWay.ts'
import {
  AppendOutcomeUnknown,
  type AppendResult,
  EventRefused,
  type EventStore,
  type ExpectedRevision,
  StoreUnavailable,
  WrongExpectedRevision,
} from './port.ts'
import { SharedLooks } from './sharedLooks.ts'

/** How long the caller of an append of unknown outcome waits for certainty. */
const APPEND_PURSUIT_MS = 10_000

const RETRY_DELAY_MS = 100
const STREAMS_REMEMBERED_MAX = 10_000
/** Attempts at an exact revision that somebody else's append made fail, before "any" is tried again. */
const EXACT_CONFLICTS_MAX = 3

/** After the pursuit's time it is still open whether the events are stored. `settled` tells, whenever that is known. */
export class AppendStillUnknown extends Error {
  readonly settled: Promise<AppendResult>

  constructor(stream: string, settled: Promise<AppendResult>) {
    super(`the outcome of an append to ${stream} is still unknown; it is being pursued`)
    this.name = 'AppendStillUnknown'
    this.settled = settled
  }
}

type Search = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly NewEvent[]
  /** The first revision at which the events can stand. */
  from: number
  /** Also true while an attempt is under way. */
  mayBeStored: boolean
  /** How often others wrote between the look and the attempt behind it. */
  conflicts: number
}

/**
 * Appends until the outcome is certain. After a time-out or a lost connection a store whose ids are
 * unique simply gets the same append again. Any other is searched for the events' ids from the last revision that is
 * known, and if they are not there gets the append at exactly the revision that was read up to: a first attempt that lands
 * late then makes the second one fail, instead of being stored twice. On a busy stream every append of somebody else
 * makes it fail too, so after a few of them the events go out with "any" again: the store nearly always knows their ids
 * still, and a second copy under the same id is counted once by whoever folds, projects or audits it.
 */
export class PursuingAppender {
  readonly #store: EventStore
  readonly #clock: Clock
  readonly #pursuitMs: number
  readonly #lastKnown = new Map<string, number>()
  readonly #looks: SharedLooks
  readonly #underWay: AppendsUnderWay

  constructor(store: EventStore, clock: Clock, pursuitMs: number = APPEND_PURSUIT_MS) {
    this.#store = store
    this.#clock = clock
    this.#pursuitMs = pursuitMs
    this.#looks = new SharedLooks(store)
    this.#underWay = new AppendsUnderWay(clock)
  }

  /** The store is away, or has more to do than it can: whatever is added makes its return harder. */
  get isHeldUp(): boolean {
    return this.#underWay.isHeldUp
  }

  /**
   * Rejects with WrongExpectedRevision, EventRefused or StoreUnavailable when nothing is stored, and with
   * AppendStillUnknown when the time is over.
   */
  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    // Taken before anything is sent: a later append of somebody else may stand behind this one in the stream.
    const search: Search = {
      stream,
      expected,
      events,
      from: typeof expected === 'number' ? expected + 1 : (this.#lastKnown.get(stream) ?? -1) + 1,
      mayBeStored: false,
      conflicts: 0,
    }
    const done = this.#underWay.begin()
    try {
      return await this.#attempt(search, expected)
    } catch (error) {
      if (!isPassing(error)) throw error
      return await this.#pursueForAWhile(search, error)
    } finally {
      done()
    }
  }

  async #pursueForAWhile(search: Search, firstFailure: Error): Promise<AppendResult> {
    const giveUp = new AbortController()
    const stopTimer = new AbortController()
    const pursuit = this.#pursue(search, giveUp.signal)
    // Whoever does not care how it ends must not crash the process when it ends badly.
    pursuit.catch(() => {})
    const timeIsUp = this.#clock.delay(this.#pursuitMs, stopTimer.signal).then(() => null)
    const result = await Promise.race([pursuit, timeIsUp]).finally(() => stopTimer.abort())
    if (result) return result
    if (search.mayBeStored) throw new AppendStillUnknown(search.stream, pursuit)
    // Nothing was ever sent, so nothing can be stored: stop here.
    giveUp.abort()
    throw firstFailure
  }

  async #pursue(search: Search, giveUp: AbortSignal): Promise<AppendResult> {
    let conflict: WrongExpectedRevision | null = null
    for (;;) {
      await this.#clock.delay(RETRY_DELAY_MS, giveUp)
      try {
        // What was never sent need not be looked for: a store that comes back has enough to do with the appends.
        const found = this.#store.idsAreUnique || !search.mayBeStored ? null : await this.#lookFor(search)
        if (found) return found
        if (conflict) throw conflict
        if (giveUp.aborted) throw new StoreUnavailable(`the append to ${search.stream} was given up`)
        return await this.#attempt(search, this.#expectedAgain(search))
      } catch (error) {
        if (giveUp.aborted || error === conflict || error instanceof EventRefused) throw error
        if (error instanceof WrongExpectedRevision) {
          if (this.#store.idsAreUnique) throw error
          // Somebody wrote in between, perhaps our own first attempt: look again before calling it a conflict.
          conflict = search.expected === 'any' ? null : error
          search.conflicts++
        } else if (!search.mayBeStored && !isPassing(error)) {
          // Once the events may be stored, only finding them or a conflict ends the pursuit, not trouble while looking.
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
      const result = await this.#store.append(search.stream, expected, search.events)
      this.#underWay.answered()
      this.#remember(search.stream, result.revision)
      return result
    } catch (error) {
      if (isCertain(error)) search.mayBeStored = mayBeStored
      // A store that refuses is there.
      if (error instanceof WrongExpectedRevision || error instanceof EventRefused) this.#underWay.answered()
      throw error
    }
  }

  /** Reads on from where the last look ended: what was not there then cannot appear behind it. */
  async #lookFor(search: Search): Promise<AppendResult | null> {
    const { found, next } = await this.#looks.find(search.stream, search.events.at(-1)?.id ?? '', search.from)
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

/** This attempt stored nothing. */
function isCertain(error: unknown): boolean {
  return error instanceof WrongExpectedRevision || error instanceof EventRefused || error instanceof StoreUnavailable
}

/** Trouble that may be over in a moment: the store is away, or nobody knows. A driver's own errors carry a code. */
function isPassing(error: unknown): error is Error {
  if (error instanceof AppendOutcomeUnknown || error instanceof StoreUnavailable) return true
  return (
    error instanceof Error && !isCertain(error) && ('code' in error || /connect|terminat|timeout/i.test(error.message))
  )
}
