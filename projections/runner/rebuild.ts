import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { lockModel, readCheckpoint, writeCheckpoint } from './checkpoints.ts'
import type { Database, EventSource, Sql } from './ports.ts'
import { codeOf, createBeside, rebuildAlone, SWAP_LOCK_TIMEOUT_MS, untilSwapped } from './rebuildBeside.ts'
import { prepareProjection, RebuildNeeded } from './runner.ts'
import { applyBatch, createTables, LIVE_SCHEMA, tablesOf } from './tables.ts'

const REBUILD_BATCH_EVENTS_MAX = 5_000

export type RebuildOptions = {
  readonly projection: Projection
  readonly database: Database
  readonly source: EventSource
  readonly partitions: readonly string[]
  readonly idsAreUnique: boolean
  readonly clock: { delay(ms: number): Promise<void> }
  readonly ids: { uuid(): string }
  readonly signal?: AbortSignal
  readonly onProgress?: (position: Position, events: number) => void
}

export type RebuildResult = { readonly events: number; readonly position: Position }

/** Includes the number of pages that the last pass read. */
type Progress = RebuildResult & { readonly pages: number }

const TABLE_IS_GONE = ['42P01', '3F000']

/**
 * Rebuilds the model in a separate schema, one batch per transaction, and swaps it in. Readers and the live runner
 * continue; only the last, short transaction locks the checkpoint while it applies the remaining events.
 */
export function rebuildProjection(options: RebuildOptions): Promise<RebuildResult> {
  return rebuildAlone(options.database, options.projection.name, () => build(options))
}

/** Like rebuildProjection, for a model that only a rebuild by this program can continue. Returns null for any other. */
export function rebuildOutdated(options: RebuildOptions): Promise<RebuildResult | null> {
  const { projection, database, partitions } = options
  return rebuildAlone(database, projection.name, async () => {
    try {
      await prepareProjection(database, projection, partitions)
      return null
    } catch (error) {
      if (!(error instanceof RebuildNeeded)) throw error
      return error.isNewer ? null : build(options)
    }
  })
}

async function build(options: RebuildOptions): Promise<RebuildResult> {
  const { projection, database, clock } = options
  const schema = await createBeside(options, projection.table, (sql, beside) => createTables(sql, projection, beside))
  try {
    let built: Progress = { events: 0, position: BEGINNING, pages: 0 }
    return await untilSwapped(clock, async () => {
      // Each pass leaves the events that arrived during it to the next one, until the rest is short enough for the swap.
      do built = await catchUp(options, schema, built, (apply) => database.transaction(apply, { isLong: true }))
      while (built.pages > 1)
      const { events, position } = await swapIn(options, schema, built)
      return { events, position }
    })
  } catch (error) {
    // If this fails too, the next rebuild drops it.
    await database.query(`drop schema if exists ${schema} cascade`).catch(() => {})
    if (!TABLE_IS_GONE.includes(codeOf(error))) throw error
    throw new Error(`another rebuild of ${projection.name} has started and ended this one`, { cause: error })
  }
}

/** Reads page by page up to the head at the start of the pass, because under load the current head is never reached. */
async function catchUp(
  { projection, source, idsAreUnique, signal, onProgress }: RebuildOptions,
  schema: string,
  from: RebuildResult,
  transact: (apply: (sql: Sql) => Promise<unknown>) => Promise<unknown>,
): Promise<Progress> {
  const head = await source.head()
  let { events, position } = from
  let pages = 0
  while (position < head) {
    signal?.throwIfAborted()
    const limit = REBUILD_BATCH_EVENTS_MAX
    const page = await source.readAll({ after: position, categories: projection.categories, limit })
    if (page.position === position) break
    await transact((sql) => applyBatch(sql, projection, schema, page.events, idsAreUnique))
    position = page.position
    events += page.events.length
    pages++
    onProgress?.(position, events)
  }
  return { events, position, pages }
}

function swapIn(options: RebuildOptions, schema: string, built: RebuildResult): Promise<RebuildResult> {
  const { projection, database, partitions } = options
  return database.transaction(
    async (sql) => {
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
    },
    { isLong: true },
  )
}
