import type { Clock } from '../clock/clock.ts'
import { type DependencyHealth, dependencyCheck } from '../dependencyHealth.ts'
import type { PostgresDatabase } from './database.ts'

export type DatabaseHealth = DependencyHealth & {
  readonly pool: { readonly total: number; readonly idle: number; readonly waiting: number }
}

/** Checks whether the database can be reached and written to, after reading the connection counts of its pool. */
export function databaseCheck(database: PostgresDatabase, clock: Clock): () => Promise<DatabaseHealth> {
  const check = dependencyCheck(() => requireWritable(database), clock)
  return async () => {
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = database.pool
    return { ...(await check()), pool: { total, idle, waiting } }
  }
}

/**
 * Writes without leaving a row: a message in the WAL, which the commit flushes, and a temporary file. On a full disk
 * the WAL may still have room in its recycled segments when tables can no longer grow, but the temporary file fails.
 */
async function requireWritable(database: PostgresDatabase): Promise<void> {
  await database.transaction(async (sql) => {
    // With the least memory that a query can have, the series below needs a file of about 300 kB.
    await sql.query("set local work_mem = '64kB'")
    const [row] = await sql.query<{ readOnly: string }>(
      `select current_setting('transaction_read_only') as read_only,
         pg_logical_emit_message(true, 'tollgate', 'health'), (select sum(n) from generate_series(1, 20000) as n)`,
    )
    if (row?.readOnly !== 'off') throw new Error('the database is read-only')
  })
}
