import pg from 'pg'
import type { Database, Sql, SqlRow, TransactionOptions } from '../../../projections/runner/ports.ts'

const TIMESTAMPTZ = 1184

/** bigint and numeric stay strings (pg's own default), so that no amount is rounded; times become ISO 8601. */
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
  /** Told of a connection that broke while idle; the pool replaces it by itself. */
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
    // The whole client hangs on it, with the key that cancels its queries, and would be written to the log.
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
  // A connection that breaks while it is out of the pool tells its listeners besides failing its query, and one without
  // listeners would end the process.
  const ignore = () => {}
  client.on('error', ignore)
  let broken: Error | undefined
  try {
    await client.query(beginning(snapshot, repeatable))
    const result = await work({ query: (text, values) => queryOn(client, text, values) })
    await client.query('commit')
    return result
  } catch (error) {
    // A connection that cannot even roll back is thrown away, not handed to the next user.
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
    client.off('error', ignore)
  }
}

function beginning(snapshot: boolean, repeatable: boolean): string {
  if (snapshot) return 'begin isolation level repeatable read read only'
  return repeatable ? 'begin; set local synchronous_commit to off' : 'begin'
}
