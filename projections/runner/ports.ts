import type { DomainEvent, Recorded } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import type { Category } from '../../contracts/streams.ts'

export type SqlRow = Record<string, unknown>

/** What a projection needs of a database. bigint, numeric and timestamptz columns come back as strings. */
export interface Sql {
  query<Row extends SqlRow = SqlRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type TransactionOptions = {
  /** Reads only, all of it as of one moment. */
  readonly snapshot?: boolean
  /** A crash of the database may take back the newest of these, whole: for what can be done again from the events. */
  readonly repeatable?: boolean
}

export interface Database extends Sql {
  /** Runs the work in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
}

export type FeedBatch<Event extends DomainEvent = DomainEvent> = {
  readonly partition: string
  /** Where the batch begins, exclusive: of this partition, it leaves out nothing between here and its position. */
  readonly after: Position
  readonly events: readonly Recorded<Event>[]
  /** How far the partition has been read with this batch. */
  readonly position: Position
}

/**
 * One consumer that reads the feed for several subscribers of a process and so carries them all. Processes with a
 * carrier of the same name share the partitions, so all of them must have the same subscribers on it.
 */
export type FeedCarrier = { readonly name: string; readonly categories: readonly Category[] }

export type FeedSubscription<C extends Category = Category> = {
  readonly consumer: string
  /** Whether the subscribers of one name divide the partitions among them. Otherwise each of them reads all. */
  readonly shared: boolean
  /** For a shared one: its own by default. */
  readonly carrier?: FeedCarrier | undefined
  readonly categories: readonly C[]
  /**
   * Where to begin in a partition. Asked each time that the partition is given to this subscriber, not before: until
   * then another one may have gone further.
   */
  reached(partition: string): Promise<Position>
  readonly signal: AbortSignal
}

/**
 * Events at their current version, in order within a stream, with their store positions. One subscription gives each of them once, unless the
 * store itself has it twice; and from `reached` on it leaves out none.
 */
export interface Feed {
  /** Those that hold the events of these categories. */
  partitionsOf(categories: readonly Category[]): readonly string[]
  partitionOf(stream: string): string
  /** False where an event may come twice under one id: models whose rows change then count ids. */
  readonly idsAreUnique: boolean
  subscribe<C extends Category>(subscription: FeedSubscription<C>): AsyncIterable<FeedBatch<EventOf<C>>>
}

/** What a rebuild reads: the event store itself, page by page. */
export interface EventSource {
  /** The position of the newest event. */
  head(): Promise<Position>
  readAll<C extends Category>(options: {
    readonly after: Position
    readonly categories: readonly C[]
    readonly limit: number
  }): Promise<{ readonly events: readonly Recorded<EventOf<C>>[]; readonly position: Position }>
}
