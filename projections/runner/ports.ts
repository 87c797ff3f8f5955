import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { Checkpoint, Position } from '../../contracts/position.ts'

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

export type FeedBatch = {
  readonly partition: string
  readonly events: readonly RecordedEvent[]
  /** How far the partition has been read with this batch. */
  readonly position: Position
}

export type FeedSubscription = {
  /** Who reads: consumers of one name share the partitions where the feed has many. */
  readonly consumer: string
  readonly categories: readonly string[]
  readonly from: Checkpoint
  readonly signal: AbortSignal
}

/** Events in order within a stream, each at least once, with their store positions. */
export interface Feed {
  readonly partitions: readonly string[]
  /** False where an event may come twice under one id: models whose rows change then count ids. */
  readonly idsAreUnique: boolean
  subscribe(subscription: FeedSubscription): AsyncIterable<FeedBatch>
}

/** What a rebuild reads: the event store itself, page by page. */
export interface EventSource {
  /** The position of the newest event. */
  head(): Promise<Position>
  readAll(options: {
    readonly after: Position
    readonly categories?: readonly string[]
    readonly limit: number
  }): Promise<{ readonly events: readonly RecordedEvent[]; readonly position: Position }>
}
