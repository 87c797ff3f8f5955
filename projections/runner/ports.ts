import type { DomainEvent, Recorded } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import type { Category } from '../../contracts/streams.ts'

export type SqlRow = Record<string, unknown>

/**
 * What a projection needs from a database. Columns come back in camelCase, as everywhere outside SQL; bigint, numeric
 * and timestamptz as strings.
 */
export interface Sql {
  /** With a name, each connection prepares the query once, which pays off if planning takes longer than executing. */
  query<Row extends SqlRow = SqlRow>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>
}

/** A connection of its own, like that of a transaction. */
export interface ConnectionSql extends Sql {
  /** Runs a `copy … from stdin` with rows in the text format, which costs the database a third of an insert. */
  copy(statement: string, rows: string): Promise<void>
}

export type TransactionOptions = {
  /** Read-only, on one snapshot. */
  readonly snapshot?: boolean
  /** A database crash may undo the newest of these transactions as a whole. For work that can be repeated from the events. */
  readonly repeatable?: boolean
  /** Its statements may take longer than services wait for an answer of the database, such as those of a rebuild. */
  readonly isLong?: boolean
}

export interface Database extends Sql {
  /** Runs the work in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (sql: ConnectionSql) => Promise<Result>, options?: TransactionOptions): Promise<Result>
}

export type FeedBatch<Event extends DomainEvent = DomainEvent> = {
  readonly partition: string
  /** Exclusive start: the batch has all events of the partition between here and `position`. */
  readonly after: Position
  readonly events: readonly Recorded<Event>[]
  /** The position that the partition has reached with this batch. */
  readonly position: Position
}

/**
 * One consumer that reads the feed for several subscribers of a process. Processes with a carrier of the same name
 * share the partitions, so all of them must have the same subscribers on it.
 */
export type FeedCarrier = { readonly name: string; readonly categories: readonly Category[] }

export type FeedSubscription<C extends Category = Category> = {
  readonly consumer: string
  /** Whether subscribers of the same name divide the partitions. Otherwise each of them reads all. */
  readonly shared: boolean
  /** For shared subscriptions. Default: its own carrier. */
  readonly carrier?: FeedCarrier | undefined
  readonly categories: readonly C[]
  /**
   * The position to start from in a partition. Called each time the partition is assigned to this subscriber, and not
   * before, because another subscriber may have advanced until then.
   */
  reached(partition: string): Promise<Position>
  readonly signal: AbortSignal
}

/**
 * Events at their current version, in order within a stream, with their store positions. A subscription yields every
 * event after `reached` exactly once, unless the store itself holds it twice.
 */
export interface Feed {
  /** The partitions with the events of these categories. */
  partitionsOf(categories: readonly Category[]): readonly string[]
  partitionOf(stream: string): string
  /** False if an event id may occur twice. Models that update rows then remember the ids that they applied. */
  readonly idsAreUnique: boolean
  subscribe<C extends Category>(subscription: FeedSubscription<C>): AsyncIterable<FeedBatch<EventOf<C>>>
}

/** The source of a rebuild: the event store itself, page by page. */
export interface EventSource {
  /** The position of the newest event. */
  head(): Promise<Position>
  readAll<C extends Category>(options: {
    readonly after: Position
    /** Default: all. */
    readonly categories?: readonly C[]
    readonly limit: number
  }): Promise<{ readonly events: readonly Recorded<EventOf<C>>[]; readonly position: Position }>
}
