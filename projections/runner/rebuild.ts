import { LIMITS } from '../../contracts/limits.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoints.ts'
import type { Database, EventSource, Sql } from './ports.ts'
import { applyBatch, createTables, LIVE_SCHEMA, tablesOf } from './tables.ts'

export type RebuildOptions = {
  readonly projection: Projection
  readonly database: Database
  readonly source: EventSource
  readonly partitions: readonly string[]
  readonly idsAreUnique: boolean
  readonly onProgress?: (position: Position, events: number) => void
}

export type RebuildResult = { readonly events: number; readonly position: Position }

/**
 * While the swap waits for a reader of the old table, new readers wait behind it: it steps back soon and lets them pass,
 * as often as that reader needs.
 */
const SWAP_LOCK_TIMEOUT_MS = 250
const SWAP_PAUSE_MS = 500
const SWAP_ATTEMPTS_MAX = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Builds the model anew beside the live one, a batch a transaction, and swaps it in. Readers and the live runner go on;
 * only the last, short transaction holds the checkpoint while it applies what has come since.
 */
export async function rebuildProjection(options: RebuildOptions): Promise<RebuildResult> {
  const { projection, database } = options
  const schema = await createBeside(database, projection)
  try {
    let built: RebuildResult = { events: 0, position: BEGINNING }
    for (let attempt = 1; ; attempt++) {
      built = await catchUp(options, schema, built, (apply) => database.transaction(apply))
      const swapped = await swapIn(options, schema, built, attempt === SWAP_ATTEMPTS_MAX)
      if (swapped) return swapped
      await delay(SWAP_PAUSE_MS)
    }
  } catch (error) {
    const [left] = await database.query<{ oid: string | null }>('select to_regnamespace($1)::text as oid', [schema])
    if (left?.oid) throw error
    throw new Error(`another rebuild of ${projection.name} has begun, and this one has ended`, { cause: error })
  }
}

/** Each rebuild has a schema of its own, and what an earlier one left or still works on goes: of two, the later lives. */
async function createBeside(database: Database, projection: Projection): Promise<string> {
  const prefix = `rebuild_${projection.table}_`
  const schema = prefix + randomBytes(4).toString('hex')
  await database.transaction(async (sql) => {
    await sql.query('set local client_min_messages to warning')
    const others = await sql.query<{ name: string }>('select nspname as name from pg_namespace where nspname ~ $1', [
      `^${prefix}[0-9a-f]{8}$`,
    ])
    for (const { name } of others) await sql.query(`drop schema if exists ${name} cascade`)
    await sql.query(`create schema ${schema}`)
    await createTables(sql, projection, schema)
  })
  return schema
}

/** Reads to where the store stood at the beginning, a page a time: with calls going on, its end is never reached. */
async function catchUp(
  { projection, source, idsAreUnique, onProgress }: RebuildOptions,
  schema: string,
  from: RebuildResult,
  transact: (apply: (sql: Sql) => Promise<void>) => Promise<void>,
): Promise<RebuildResult> {
  const head = await source.head()
  let { events, position } = from
  while (position < head) {
    const limit = LIMITS.rebuildBatchEventsMax
    const page = await source.readAll({ after: position, categories: projection.categories, limit })
    await transact((sql) => applyBatch(sql, projection, schema, page.events, idsAreUnique))
    position = page.position
    events += page.events.length
    onProgress?.(position, events)
  }
  return { events, position }
}

/** Null: a reader holds the old table. */
async function swapIn(
  options: RebuildOptions,
  schema: string,
  built: RebuildResult,
  isLastAttempt: boolean,
): Promise<RebuildResult | null> {
  const { projection, database, partitions } = options
  try {
    return await database.transaction(async (sql) => {
      await sql.query(`set local lock_timeout to ${SWAP_LOCK_TIMEOUT_MS}`)
      await lockModel(sql, projection)
      await readCheckpoint(sql, projection.name, true)
      const last = await catchUp(options, schema, built, (apply) => apply(sql))
      for (const table of tablesOf(projection)) {
        await sql.query(`drop table if exists ${LIVE_SCHEMA}.${table}`)
        await sql.query(`alter table ${schema}.${table} set schema ${LIVE_SCHEMA}`)
      }
      await sql.query(`drop schema ${schema} cascade`)
      await writeCheckpoint(sql, projection, partitions, last.position)
      return last
    })
  } catch (error) {
    if (!isLastAttempt && error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return null
    throw error
  }
}
