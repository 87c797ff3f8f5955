import type { Database, Sql } from './ports.ts'

/**
 * While the swap waits for a reader of the old table, new readers wait behind it. So it gives up soon, lets them pass,
 * and tries again until the old reader is done.
 */
export const SWAP_LOCK_TIMEOUT_MS = 250
const SWAP_PAUSE_MS = 500
const SWAP_ATTEMPTS_MAX = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

export type BesideOptions = {
  readonly database: Database
  readonly ids: { uuid(): string }
}

/** Another process is currently rebuilding the same thing. */
export class RebuildUnderWay extends Error {
  constructor(name: string) {
    super(`another rebuild of ${name} is under way: wait until it has ended`)
  }
}

/**
 * Runs a rebuild unless another one of the same name is running. The lock belongs to a transaction without other
 * statements, so it ends with the process and holds no snapshot that would keep dead rows.
 */
export function rebuildAlone<Result>(
  database: Database,
  name: string,
  rebuild: () => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (sql) => {
    await sql.query('set local idle_in_transaction_session_timeout to 0')
    const [lock] = await sql.query<{ isOurs: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as is_ours', [
      `rebuild of ${name}`,
    ])
    if (!lock?.isOurs) throw new RebuildUnderWay(name)
    return rebuild()
  })
}

/**
 * A separate schema for each rebuild of something with this name. It drops those left by earlier rebuilds. A rebuild
 * that lost its lock with its connection may still be using one of them, and then fails.
 */
export async function createBeside(
  { database, ids }: BesideOptions,
  name: string,
  createTables: (sql: Sql, schema: string) => Promise<void>,
): Promise<string> {
  const prefix = `rebuild_${name}_`
  const schema = prefix + ids.uuid().slice(0, 8)
  await database.transaction(
    async (sql) => {
      await sql.query('set local client_min_messages to warning')
      const others = await sql.query<{ name: string }>('select nspname as name from pg_namespace where nspname ~ $1', [
        `^${prefix}[0-9a-f]{8}$`,
      ])
      for (const other of others) await sql.query(`drop schema if exists ${other.name} cascade`)
      await sql.query(`create schema ${schema}`)
      await createTables(sql, schema)
    },
    { isLong: true },
  )
  return schema
}

/** Repeats an attempt to swap until it gets its locks. */
export async function untilSwapped<Result>(
  clock: { delay(ms: number): Promise<void> },
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE || attempts === SWAP_ATTEMPTS_MAX) throw error
    }
    await clock.delay(SWAP_PAUSE_MS)
  }
}

/** The SQLSTATE of a database error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
