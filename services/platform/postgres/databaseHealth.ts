import type { Clock } from '../clock/clock.ts'
import { type DependencyHealth, dependencyHealth } from '../dependencyHealth.ts'
import type { PostgresDatabase } from './database.ts'

export type DatabaseHealth = DependencyHealth & {
  readonly pool: { readonly total: number; readonly idle: number; readonly waiting: number }
}

/** Whether the database answers, and the connections of its pool before it was asked. */
export async function databaseHealth(database: PostgresDatabase, clock: Clock): Promise<DatabaseHealth> {
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = database.pool
  return { ...(await dependencyHealth(() => database.query('select 1'), clock)), pool: { total, idle, waiting } }
}
