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

/** How long the swap waits for readers of the old table before it steps back and lets others pass. */
const SWAP_LOCK_TIMEOUT_MS = 2_000
const SWAP_ATTEMPTS_MAX = 10
const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Builds the model anew beside the live one, a batch a transaction, and swaps it in. Readers and the live runner go on;
 * only the last, short transaction holds the checkpoint while it applies what has come since.
 */
export async function rebuildProjection(options: RebuildOptions): Promise<RebuildResult> {
  const { projection, database } = options
  const schema = `rebuild_${projection.table}`
  await database.transaction(async (sql) => {
    await sql.query('set local client_min_messages to warning')
    await sql.query(`drop schema if exists ${schema} cascade`)
    await sql.query(`create schema ${schema}`)
    await createTables(sql, projection, schema)
  })
  const built = await catchUp(options, schema, { events: 0, position: BEGINNING }, (apply) =>
    database.transaction(apply),
  )
  return swapIn(options, schema, built)
}

/** Reads to the end of the store, a page a time, each applied by the given transaction. */
async function catchUp(
  { projection, source, idsAreUnique, onProgress }: RebuildOptions,
  schema: string,
  from: RebuildResult,
  transact: (apply: (sql: Sql) => Promise<void>) => Promise<void>,
): Promise<RebuildResult> {
  let { events, position } = from
  for (;;) {
    const limit = LIMITS.rebuildBatchEventsMax
    const page = await source.readAll({ after: position, categories: projection.categories, limit })
    if (page.position === position) return { events, position }
    await transact((sql) => applyBatch(sql, projection, schema, page.events, idsAreUnique))
    position = page.position
    events += page.events.length
    onProgress?.(position, events)
  }
}

async function swapIn(options: RebuildOptions, schema: string, built: RebuildResult): Promise<RebuildResult> {
  const { projection, database, partitions } = options
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (sql) => {
        await sql.query(`set local lock_timeout to ${SWAP_LOCK_TIMEOUT_MS}`)
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
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE
      if (!isLocked || attempt === SWAP_ATTEMPTS_MAX) throw error
    }
  }
}
