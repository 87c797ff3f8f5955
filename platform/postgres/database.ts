import type { Duplex } from 'node:stream'
import pg from 'pg'
import { fieldOf } from '../../projections/runner/columnNames.ts'
import type { ConnectionSql, Database, Sql, SqlRow, TransactionOptions } from '../../projections/runner/ports.ts'
import { asUnreachable, isUnanswered } from './databaseUnreachable.ts'

/** How a connection is opened: to an address, or over a stream that the driver is given. */
export type Connecting =
  | { readonly connectionString: string }
  | { readonly stream: () => Duplex; readonly user: string; readonly database: string }

/** The driver's query, which refuses `copy … from stdin` unless overridden here. */
class CopyIn extends pg.Query {
  readonly #rows: Buffer

  constructor(statement: string, rows: string, onEnd: (error: Error | null) => void) {
    // The types lack the callback through which the driver reports the end.
    super({ text: statement, callback: onEnd } as pg.QueryConfig)
    this.#rows = Buffer.from(rows)
  }

  /** Called by the driver when the server is ready for the rows. */
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(this.#rows)
    connection.endCopyFrom()
  }
}

const TIMESTAMPTZ = 1184

/** bigint and numeric stay strings (the default of pg), so that no amount is rounded; times become ISO 8601. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? isoTimestamp
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

const UTC_TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/

/**
 * A timestamptz as ISO 8601. Servers that run on UTC write almost that, and copying it is several times as fast as a
 * Date: every event that is read has a time. Microseconds are cut off, as Date does.
 */
export function isoTimestamp(text: string): string {
  if (!UTC_TIMESTAMP.test(text)) return new Date(text).toISOString()
  const fraction = text.length === SECONDS_CHARS + 3 ? '' : text.slice(SECONDS_CHARS + 1, -3)
  return `${text.slice(0, 10)}T${text.slice(11, SECONDS_CHARS)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** 2026-03-01 10:00:30 */
const SECONDS_CHARS = 19

/** Statements fail with DatabaseUnreachable if there is no connection or if it breaks. */
export type PostgresDatabase = Database & {
  readonly url: string
  /** For connections besides those of the pool. */
  readonly connecting: Connecting
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** TCP soon asks whether the other end of an idle connection still exists. By default it would wait for two hours. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

export const CONNECT_MS_MAX = 5_000

export type PostgresOptions = {
  readonly url: string
  /** Default: the address. */
  readonly connecting?: Connecting
  readonly connectionsMax?: number
  /** How long a statement waits for a connection. Default: CONNECT_MS_MAX. */
  readonly connectMsMax?: number
  /**
   * A statement that gets no answer for this long fails, unless its transaction is long, and its connection is dropped. A
   * server that vanished with a statement unanswered would otherwise be noticed by TCP alone, after a quarter of an hour.
   * Default: no limit.
   */
  readonly answerMsMax?: number | undefined
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void
}

export function openDatabase({
  url,
  connecting = { connectionString: url },
  connectionsMax = 10,
  connectMsMax = CONNECT_MS_MAX,
  answerMsMax,
  onIdleError = () => {},
}: PostgresOptions): PostgresDatabase {
  const pool = new pg.Pool({
    ...connecting,
    max: connectionsMax,
    types: columnTypes,
    application_name: 'tollgate',
    connectionTimeoutMillis: connectMsMax,
    ...KEPT_ALIVE,
  })
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The error refers to the whole client, including the key that cancels its queries, which would end up in the log.
    delete error.client
    onIdleError(error)
  })

  return {
    url,
    connecting,
    pool,
    query: queriesOn(pool, answerMsMax),
    transaction: (work, options) => transactionOn(pool, answerMsMax, work, options),
    close: () => pool.end(),
  }
}

function queriesOn(target: pg.Pool | pg.PoolClient, answerMsMax: number | undefined): Sql['query'] {
  return async <Row extends SqlRow>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> => {
    const query = new RowQuery(text, values)
    if (name !== undefined) query.name = name
    query.query_timeout = answerMsMax
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        target.query<Row>(query, (error, result) => (error ? reject(error) : resolve(result.rows)))
      })
    } catch (error) {
      // Whatever follows on this connection would wait for the same answer. A pool drops it by itself.
      if (isUnanswered(error) && !(target instanceof pg.Pool)) dropConnection(target)
      // The original stack would lead to the driver's socket; this one leads to the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw asUnreachable(error)
    }
  }
}

type RowDescription = { readonly fields: readonly { name: string }[] }

/** Includes the part of the driver's query that its types lack. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values?: readonly unknown[],
) => pg.QueryConfig & {
  query_timeout: number | undefined
  handleRowDescription(description: RowDescription): void
}

/** Renames the columns before the driver builds rows from them, so that no row is copied. */
class RowQuery extends DriverQuery {
  override handleRowDescription(description: RowDescription): void {
    for (const field of description.fields) field.name = fieldOf(field.name)
    super.handleRowDescription(description)
  }
}

async function transactionOn<Result>(
  pool: pg.Pool,
  answerMsMax: number | undefined,
  work: (sql: ConnectionSql) => Promise<Result>,
  { snapshot = false, repeatable = false, isLong = false }: TransactionOptions = {},
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asUnreachable(error)
  })
  // A checked-out connection that breaks emits an error in addition to failing its query. Without a listener that would
  // end the process.
  const ignore = () => {}
  client.on('error', ignore)
  const limitMs = isLong ? undefined : answerMsMax
  const query = queriesOn(client, limitMs)
  let broken: Error | undefined
  try {
    await query(beginning(snapshot, repeatable))
    const result = await work({
      query,
      copy: (statement, rows) =>
        copyOn(client, statement, rows, limitMs).catch((error: unknown) => {
          if (isUnanswered(error)) dropConnection(client)
          throw asUnreachable(error)
        }),
    })
    await query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is closed instead of going back to the pool.
    await query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
    client.off('error', ignore)
  }
}

/** Closes a connection at once, without the goodbye that a dead server never acknowledges. Its pending query fails. */
export function dropConnection(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

function beginning(snapshot: boolean, repeatable: boolean): string {
  if (snapshot) return 'begin isolation level repeatable read read only'
  return repeatable ? 'begin; set local synchronous_commit to off' : 'begin'
}

/** The part of the driver's connection that its types lack. */
type CopyConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** Runs a `copy … from stdin` with these rows in the text format. */
function copyOn(
  client: pg.ClientBase,
  statement: string,
  rows: string,
  answerMsMax: number | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new CopyIn(statement, rows, (error) => (error ? reject(error) : resolve()))
    client.query(Object.assign(query, { query_timeout: answerMsMax }))
  })
}
