import pg from 'pg'
import type { Database, Sql, SqlRow, TransactionOptions } from '../../../projections/runner/ports.ts'

const TIMESTAMPTZ = 1184

/** bigint and numeric stay strings (the default of pg), so that no amount is rounded; times become ISO 8601. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? (text: string) => new Date(text).toISOString()
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

export type PostgresDatabase = Database & {
  readonly url: string
  readonly pool: pg.Pool
  close(): Promise<void>
}

export type PostgresOptions = {
  readonly url: string
  readonly connectionsMax?: number
  /** Called when an idle connection breaks. The pool replaces it. */
  readonly onIdleError?: (error: Error) => void
}

export function openDatabase({ url, connectionsMax = 10, onIdleError = () => {} }: PostgresOptions): PostgresDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    types: columnTypes,
    application_name: 'tollgate',
    connectionTimeoutMillis: 5_000,
  })
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The error refers to the whole client, with the key that cancels its queries, which would go into the log.
    delete error.client
    onIdleError(error)
  })

  return {
    url,
    pool,
    query: (text, values) => queryOn(pool, text, values),
    transaction: (work, options) => transactionOn(pool, work, options),
    close: () => pool.end(),
  }
}

async function queryOn<Row extends SqlRow>(
  target: pg.Pool | pg.PoolClient,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const result = await target.query<Row>(text, values as unknown[] | undefined)
  return result.rows
}

async function transactionOn<Result>(
  pool: pg.Pool,
  work: (sql: Sql) => Promise<Result>,
  { snapshot = false, repeatable = false }: TransactionOptions = {},
): Promise<Result> {
  const client = await pool.connect()
  // A checked-out connection that breaks emits an error besides failing its query. Without a listener that would end
  // the process.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query(beginning(snapshot, repeatable))
    const result = await work({ query: (text, values) => queryOn(client, text, values) })
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot roll back is closed instead of going back to the pool.
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
    client.off('error', ignore)
  }
}

/** Closes a connection at once, without the farewell that a dead server never acknowledges. Its pending query fails. */
export function dropConnection(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}

function beginning(snapshot: boolean, repeatable: boolean): string {
  if (snapshot) return 'begin isolation level repeatable read read only'
  return repeatable ? 'begin; set local synchronous_commit to off' : 'begin'
}
