import type { DomainEvent, Recorded } from '../contracts/envelope.ts'
import type { CategoryOf } from '../contracts/events/eventsByCategory.ts'

/**
 * A row of a table, with its columns in camelCase. Numbers that a double would round, such as amounts, are strings;
 * times are ISO 8601.
 */
export type Row = Readonly<Record<string, unknown>>

/**
 * A read model, as a pure fold: which rows an event changes, and what each of them looks like afterwards. The runner
 * loads the rows, folds a batch over them in memory and writes them back. `Event` is the union of the events of its
 * categories; `evolve` ends its switch over it with `unexpected`, so a projection that forgets an event type does not
 * compile.
 */
export type Projection<R extends Row = Row, Event extends DomainEvent = DomainEvent> = {
  readonly name: string
  /** Incremented when the table or the fold changes; the model must then be rebuilt. */
  readonly version: number
  readonly categories: readonly CategoryOf<Event>[]
  readonly table: string
  /** Creates the table without naming a schema, because a rebuild creates it again in another schema. */
  readonly tableSql: URL
  readonly key: readonly (keyof R & string)[]
  /** Every event only inserts rows, so nothing needs to be loaded. */
  readonly insertOnly?: boolean
  /** A SQL condition for the rows that the hash includes, to leave out events that a restore adds. Default: all. */
  readonly hashed?: string
  /** Event types that create their own row, which therefore need not be loaded. */
  readonly creates?: ReadonlySet<string>
  /**
   * Frequent event types that change no row. The runner drops them before it decides whether a batch is worth a transaction;
   * `rowsOf` returns none for them.
   */
  readonly skips?: ReadonlySet<string>
  rowsOf(event: Recorded<Event>): Partial<R>[]
  evolve(row: R | undefined, event: Recorded<Event>, key: Partial<R>): R
}

export type RowsByKey<R extends Row> = Map<string, R>

/** The key columns as one text, separated by NUL, which no text column can contain. */
export function rowKey({ key }: Pick<Projection<never>, 'key'>, row: Row): string {
  let text = String(row[key[0] as string])
  for (let n = 1; n < key.length; n++) text += `\0${row[key[n] as string]}`
  return text
}

/** An event, one of the rows that it changes, and the key of the row as one text. */
export type Change<R extends Row = Row, Event extends DomainEvent = DomainEvent> = {
  readonly event: Recorded<Event>
  readonly key: Partial<R>
  readonly at: string
}

/** What the events change, in order. */
export function changesOf<R extends Row, Event extends DomainEvent>(
  projection: Projection<R, Event>,
  events: Iterable<Recorded<Event>>,
): Change<R, Event>[] {
  const changes: Change<R, Event>[] = []
  for (const event of events) {
    for (const key of projection.rowsOf(event)) changes.push({ event, key, at: rowKey(projection, key) })
  }
  return changes
}

/** The pure fold. On an empty map it gives the whole read model, which tests compare with the tables. */
export function applyEvents<R extends Row, Event extends DomainEvent>(
  projection: Projection<R, Event>,
  events: Iterable<Recorded<Event>>,
  rows: RowsByKey<R> = new Map(),
): RowsByKey<R> {
  return applyChanges(projection, changesOf(projection, events), rows)
}

/** The same for known changes. */
export function applyChanges<R extends Row, Event extends DomainEvent>(
  projection: Projection<R, Event>,
  changes: readonly Change<R, Event>[],
  rows: RowsByKey<R>,
): RowsByKey<R> {
  for (const { event, key, at } of changes) rows.set(at, projection.evolve(rows.get(at), event, key))
  return rows
}
