import type { DomainEvent, NewEvent, Recorded, RecordedEvent } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import type { Category, StreamName } from '../../contracts/streams.ts'

/** The required state of the stream: any, no events at all, or this last revision. */
export type ExpectedRevision = 'any' | 'none' | number

export type AppendResult = {
  /** Revision and position of the last event of this append. */
  readonly revision: number
  readonly position: Position
  /** True if the same events were stored before and nothing was written now. */
  readonly repeated: boolean
}

/**
 * Asked directly before an append is sent. If the answer is no, the append fails with StoreUnavailable, and nothing is
 * stored.
 */
export type MayBeSent = () => boolean

export type ReadStreamOptions = {
  readonly direction?: 'forwards' | 'backwards'
  /** The first revision to read, inclusive. Default: the start (forwards) or the end (backwards). */
  readonly from?: number
  readonly limit?: number
}

export type ReadAllOptions<C extends string = string> = {
  /** Exclusive. */
  readonly after: Position
  /** Only streams of these categories. Default: all. */
  readonly categories?: readonly C[]
  readonly limit: number
}

/** Events in order, and the position that the reader reaches with them, which may be past events that a filter skipped. */
export type EventBatch<Event extends DomainEvent = DomainEvent> = {
  readonly events: readonly Recorded<Event>[]
  readonly position: Position
}

/** An event that another application wrote to one of our streams. Readers never see it, and it never counts as money. */
export type ForeignEvent = Pick<RecordedEvent, 'stream' | 'revision' | 'position' | 'id' | 'type' | 'recordedAt'>

export type SubscribeOptions<C extends string = string> = {
  readonly after: Position
  readonly categories?: readonly C[]
  readonly signal: AbortSignal
}

/** An event at its revision, with data and metadata as the texts of JSON objects. */
export type EventText = {
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly data: string
  readonly metadata: string
}

export type StoredText = EventText & { readonly position: Position }

/** Writes many events of many streams at once, without parsing them, for a process that has the store to itself. */
export interface BulkEvents {
  /**
   * Stores the events in this order, the first one directly after the position, each at exactly its revision. They must
   * be acceptable to `append`. If it throws, either all of them are stored or none.
   */
  append(after: Position, events: readonly EventText[]): Promise<Position>
  /** One page of all events in their order, and the position of the last one. */
  read(after: Position): Promise<{ readonly events: readonly StoredText[]; readonly position: Position }>
}

/**
 * The only source of truth. Two adapters: append-only tables in Postgres (embedded default) and EventStoreDB.
 * `test/contract/eventStore.ts` tests what both guarantee.
 */
export interface EventStore {
  /** Whether the engine itself refuses to store an event id twice in a stream. */
  readonly idsAreUnique: boolean
  /** Only for an engine that keeps one order of all events. */
  readonly bulk?: BulkEvents
  /**
   * Stores all events or none. The event ids make it idempotent: repeating the same events changes nothing. Throws
   * WrongExpectedRevision or EventRefused if nothing was stored, and AppendOutcomeUnknown if that is unknown. It always
   * settles: the adapter sets its own deadline, after which the server refuses the append.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult>
  readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>
  /** Foreign events in the stream, which exist only on a server that others can write to. */
  foreignEvents(stream: string): AsyncIterable<ForeignEvent>
  /** One page. An empty page whose position equals `after` means that there are no further events yet. */
  readAll(options: ReadAllOptions): Promise<EventBatch>
  /** All events after `after` in batches, first the stored ones, then new ones, until the signal aborts. */
  subscribe(options: SubscribeOptions): AsyncIterable<EventBatch>
  /** The position of the newest event, or BEGINNING. */
  head(): Promise<Position>
  /** Parses a position that a person wrote; null if it is not a position of this store. */
  parsePosition(text: string): Position | null
  /** The approximate number of events after the position, for progress and lag figures. */
  eventsAfter(position: Position): Promise<number>
  close(): Promise<void>
}

/**
 * The event store as services read it: every event at its current version, typed by the category of its stream.
 * `withUpcasting` makes it from an adapter.
 */
export interface TypedEventStore extends EventStore {
  readStream<C extends Category>(
    stream: StreamName<C>,
    options?: ReadStreamOptions,
  ): AsyncIterable<Recorded<EventOf<C>>>
  readAll<C extends Category = Category>(options: ReadAllOptions<C>): Promise<EventBatch<EventOf<C>>>
  subscribe<C extends Category = Category>(options: SubscribeOptions<C>): AsyncIterable<EventBatch<EventOf<C>>>
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

/** The append can never be stored: too large, a NUL, a lone surrogate, or an id that another event has. */
export class EventRefused extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EventRefused'
  }
}

/** Time-out or lost connection: the events may or may not be stored. See pursuit.ts. */
export class AppendOutcomeUnknown extends Error {
  constructor(stream: string, cause: unknown) {
    super(`it is unknown whether the append to ${stream} was stored`, { cause })
    this.name = 'AppendOutcomeUnknown'
  }
}

/** Nothing was sent to the store, because it is overloaded, closed or unreachable. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreUnavailable'
  }
}
