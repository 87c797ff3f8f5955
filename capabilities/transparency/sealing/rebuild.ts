import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Database, Sql } from '../../../projections/runner/ports.ts'
import {
  createBeside,
  rebuildAlone,
  SWAP_LOCK_TIMEOUT_MS,
  untilSwapped,
} from '../../../projections/runner/rebuildBeside.ts'
import { GrowingTree } from '../growingTree.ts'
import { type OriginEvent, SEALED_CATEGORIES, TransparencyBuilder } from './builder.ts'
import { CheckpointFault, TransparencyFault } from './fault.ts'
import { insertAddition, SEALED_SCHEMA, saveFault } from './tables.ts'

const REBUILD_PAGE_EVENTS_MAX = 5_000
const TABLES = ['entries', 'tiles', 'checkpoints', 'key_rotations'] as const

export type TransparencyRebuildOptions = {
  readonly database: Database
  /** Without upcasting. */
  readonly store: EventStore
  readonly clock: Pick<Clock, 'delay'>
  readonly ids: Ids
  readonly onProgress?: (position: Position, events: number) => void
}

export type RebuiltTransparency = {
  /** Events of the ledger and of the log that were read. */
  readonly events: number
  readonly position: Position
  readonly size: number
  /** Signed checkpoints, all of which the log reproduces. */
  readonly checkpoints: number
}

/**
 * Recomputes the log from the store, in a separate schema, and replaces the old one if it reproduces every checkpoint
 * that was ever signed. Otherwise it throws a TransparencyFault that names the first event that differs, and the old
 * log stays. The fault is stored only if a second computation finds one too. Readers and the sealer continue meanwhile.
 */
export function rebuildTransparency(options: TransparencyRebuildOptions): Promise<RebuiltTransparency> {
  return rebuildAlone(options.database, 'the transparency log', async () => {
    const first = await rebuildOnce(options)
    if (!(first instanceof TransparencyFault)) return first
    const second = await rebuildOnce(options)
    if (!(second instanceof TransparencyFault)) return second
    await saveFault(options.database, second, null)
    throw second
  })
}

async function rebuildOnce(options: TransparencyRebuildOptions): Promise<RebuiltTransparency | TransparencyFault> {
  const { database } = options
  const schema = await createBeside(options, SEALED_SCHEMA, createTables)
  const rebuild = new Rebuild(options, schema)
  try {
    do await rebuild.catchUp(database, (work) => database.transaction(work, { repeatable: true }))
    while (rebuild.pages > 1)
    return await swapIn(options, schema, rebuild)
  } catch (error) {
    if (!(error instanceof TransparencyFault)) throw error
    return await firstDifference(database, schema, error)
  } finally {
    await database.query(`drop schema if exists ${schema} cascade`)
  }
}

class Rebuild {
  readonly #options: TransparencyRebuildOptions
  readonly #schema: string
  readonly #builder: TransparencyBuilder
  position = BEGINNING
  origin: OriginEvent | null = null
  events = 0
  checkpoints = 0
  /** The events that the last pass read. */
  pages = 0

  constructor(options: TransparencyRebuildOptions, schema: string) {
    this.#options = options
    this.#schema = schema
    const { idsAreUnique } = options.store
    this.#builder = new TransparencyBuilder({ schema, tree: new GrowingTree(), idsAreUnique, createsSecrets: true })
  }

  get size(): number {
    return this.#builder.tree.size
  }

  /** Reads up to the current end of the store. */
  async catchUp(sql: Sql, transact: (work: (sql: Sql) => Promise<void>) => Promise<void>): Promise<void> {
    const { store, onProgress } = this.#options
    const head = await store.head()
    this.pages = 0
    while (this.position < head) {
      const after = this.position
      const page = await store.readAll({ after, categories: SEALED_CATEGORIES, limit: REBUILD_PAGE_EVENTS_MAX })
      if (page.position === after) break
      const addition = await this.#builder.add(sql, page, after, page.position >= head)
      const tree = { size: this.size, root: this.#builder.tree.root() }
      try {
        await transact((transaction) => insertAddition(transaction, this.#schema, addition, tree))
      } catch (error) {
        // The entries are needed to find the first one that differs.
        const entriesOnly = { ...addition, checkpoints: [], fault: null }
        if (error instanceof TransparencyFault)
          await transact((t) => insertAddition(t, this.#schema, entriesOnly, tree))
        throw error
      }
      this.position = page.position
      this.origin = addition.origin ?? this.origin
      this.checkpoints += addition.checkpoints.length
      this.events += page.events.length
      this.pages += 1
      onProgress?.(this.position, this.events)
    }
  }
}

async function createTables(sql: Sql, schema: string): Promise<void> {
  for (const table of TABLES) {
    await sql.query(`create table ${schema}.${table} (like ${SEALED_SCHEMA}.${table} including all)`)
  }
}

function swapIn(
  { database, clock }: TransparencyRebuildOptions,
  schema: string,
  rebuild: Rebuild,
): Promise<RebuiltTransparency> {
  return untilSwapped(clock, () =>
    database.transaction(async (sql) => {
      await sql.query(`set local lock_timeout to ${SWAP_LOCK_TIMEOUT_MS}`)
      // Comes first, so that nothing is lost when a lock is not available. A sealer waits for the row, and then starts over.
      await sql.query(`select 1 from ${SEALED_SCHEMA}.progress for update`)
      for (const table of TABLES) await sql.query(`lock table ${SEALED_SCHEMA}.${table} in access exclusive mode`)
      await sql.query('set local lock_timeout to 0')
      await rebuild.catchUp(sql, (work) => work(sql))
      await requireCheckpoints(sql, schema)
      for (const table of TABLES) {
        await sql.query(`drop table ${SEALED_SCHEMA}.${table}`)
        await sql.query(`alter table ${schema}.${table} set schema ${SEALED_SCHEMA}`)
      }
      const { position, size, origin, events, checkpoints } = rebuild
      await sql.query(
        `update ${SEALED_SCHEMA}.progress
         set position = $1, size = $2, origin = $3, origin_number = $4, fault = null, fault_event = null,
           receipt_fault = null, receipt_event = null, receipt_fault_at = null, generation = generation + 1`,
        [position, size, origin?.data.origin ?? null, origin?.revision ?? -1],
      )
      return { events, position, size, checkpoints }
    }),
  )
}

/** A published checkpoint must still be in the store. */
async function requireCheckpoints(sql: Sql, schema: string): Promise<void> {
  const [missing] = await sql.query<{ size: string; signedAt: string }>(
    `select old.size, old.signed_at from ${SEALED_SCHEMA}.checkpoints old left join ${schema}.checkpoints new using (number)
     where new.note is distinct from old.note order by number limit 1`,
  )
  if (!missing) return
  throw new TransparencyFault(
    `the checkpoint of ${missing.size} entries that was signed at ${missing.signedAt} is no longer in the store`,
  )
}

/** The first entry that differs from the old log; the fault unchanged if the old log does not tell. */
async function firstDifference(sql: Sql, schema: string, fault: TransparencyFault): Promise<TransparencyFault> {
  if (fault.eventId !== null && !(fault instanceof CheckpointFault)) return fault
  const [{ live = 0, size = 0 } = {}] = await sql.query<{ live: number; size: number }>(
    `select (select max(index) + 1 from ${SEALED_SCHEMA}.entries)::int as live,
            (select max(index) + 1 from ${schema}.entries)::int as size`,
  )
  const [differs] = await sql.query<{ index: string; old: string | null; new: string | null }>(
    `select index, old.event_id as old, new.event_id as new
     from ${SEALED_SCHEMA}.entries old full join ${schema}.entries new using (index)
     where old.entry is distinct from new.entry and index < $1
     order by index limit 1`,
    [Math.min(size + 1, live)],
  )
  if (!differs?.old) return fault
  const { index, old, new: now } = differs
  const what =
    now === null
      ? `event ${old} is missing`
      : now === old
        ? `event ${old} differs`
        : `event ${now} is in the place of ${old}`
  return new TransparencyFault(`${fault.message}; the first difference is entry ${index}: ${what}`, old)
}
