import type { PostgresDatabase } from './database.ts'

export type DatabaseHealth = {
  readonly status: 'healthy' | 'degraded'
  readonly latency_ms: number | null
  readonly pool: { readonly total: number; readonly idle: number; readonly waiting: number }
}

const ANSWER_MS_MAX = 2_000

/** Asks the database a question that costs nothing. One that does not answer in time counts as degraded. */
export async function databaseHealth(database: PostgresDatabase): Promise<DatabaseHealth> {
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = database.pool
  const pool = { total, idle, waiting }
  const began = performance.now()
  const { promise: timeIsUp, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), ANSWER_MS_MAX)
  try {
    await Promise.race([database.query('select 1'), timeIsUp])
    return { status: 'healthy', latency_ms: Math.round((performance.now() - began) * 100) / 100, pool }
  } catch {
    return { status: 'degraded', latency_ms: null, pool }
  } finally {
    clearTimeout(timer)
  }
}
