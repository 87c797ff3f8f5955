import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'

/** What the stream must look like for the append to happen: anything, nothing at all, or this last revision. */
export type ExpectedRevision = 'any' | 'none' | number

export type AppendResult = {
  /** Revision and position of the last event of this append. */
  readonly revision: number
  readonly position: Position
  /** True when these very events were stored before and nothing was written now. */
  readonly repeated: boolean
}

export type ReadStreamOptions = {
  readonly direction?: 'forwards' | 'backwards'
  /** The first revision to read, inclusive. Left out: the start (forwards) or the end (backwards). */
  readonly from?: number
  readonly limit?: number
}

export type ReadAllOptions = {
  /** Exclusive. */
  readonly after: Position
  /** Only streams of these categories; left out, all of them. */
  readonly categories?: readonly string[]
  readonly limit: number
}

/** Some events in order, and how far the reader has come with them: also past events that a filter left out. */
export type EventBatch = {
  readonly events: readonly RecordedEvent[]
  readonly position: Position
}

export type SubscribeOptions = {
  readonly after: Position
  readonly categories?: readonly string[]
  readonly signal: AbortSignal
}

/**
 * The only truth. Two adapters: append-only tables in Postgres (embedded default) and EventStoreDB.
 * `test/contract/eventStore.ts` says what each of them promises.
 */
export interface EventStore {
  /** Whether the engine itself refuses to store an event id twice in a stream. */
  readonly idsAreUnique: boolean
  /**
   * All events of one append are stored, or none. Ids make it idempotent: the same events again change nothing.
   * Throws WrongExpectedRevision or EventRefused when nothing was stored, AppendOutcomeUnknown when that can't be told.
   * Never stays without an answer: the adapter puts its own deadline on its driver.
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>
  /** One page. An empty page whose position equals `after` means: nothing more for now. */
  readAll(options: ReadAllOptions): Promise<EventBatch>
  /** Every batch from `after` on, first what is stored, then what comes, until the signal aborts. */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>
  /** The position of the newest event, or BEGINNING. */
  head(): Promise<Position>
  /** Reads a position as a person wrote it down; null when it is none of this store's. */
  parsePosition(text: string): Position | null
  /** About how many events come after the position: for progress bars and lag, not for arithmetic. */
  eventsAfter(position: Position): Promise<number>
  close(): Promise<void>
}

export class WrongExpectedRevision extends Error {
  readonly stream: string
  readonly expected: ExpectedRevision
  /** null: the stream does not exist. */
  readonly actual: number | null

  constructor(stream: string, expected: ExpectedRevision, actual: number | null) {
    super(`stream ${stream} is at revision ${actual ?? 'none'}, not at the expected ${expected}`)
    this.name = 'WrongExpectedRevision'
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/** The append can never be stored as it is: too large, a NUL, a lone surrogate, an id used for something else. */
export class EventRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EventRefused'
  }
}

/** Time-out or lost connection: the events may be stored or not. See pursuit.ts. */
export class AppendOutcomeUnknown extends Error {
  constructor(stream: string, cause: unknown) {
    super(`it is not known whether the append to ${stream} was stored`, { cause })
    this.name = 'AppendOutcomeUnknown'
  }
}

/** Nothing was sent to the store: it is full, closed or out of reach. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreUnavailable'
  }
}
