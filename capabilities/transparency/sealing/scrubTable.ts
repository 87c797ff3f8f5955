import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { Database, Sql } from '../../../projections/runner/ports.ts'
import type { Hash } from '../hashes.ts'
import { SEALED_SCHEMA, SealerReplaced, type SealerTerm } from './tables.ts'

/** The progress of a scrub: everything before this in the store has reproduced the first entries of the log. */
export type ScrubState = {
  /** Of the log; a log that was rebuilt since is compared from its beginning. */
  readonly generation: number
  readonly position: Position
  readonly size: number
  readonly root: Hash
  /** The revision of the next event in the stream of checkpoints. */
  readonly checkpoints: number
}

type ScrubRow = { generation: string; position: Position; size: string; root: Buffer; checkpoints: string }

/** Where the last scrub was interrupted; null if the next one starts from the beginning. */
export async function readScrub(sql: Sql): Promise<ScrubState | null> {
  const [row] = await sql.query<ScrubRow>(
    `select generation, position, size, root, checkpoints from ${SEALED_SCHEMA}.scrub where position <> $1`,
    [BEGINNING],
  )
  if (!row) return null
  const { generation, size, checkpoints, ...rest } = row
  return { ...rest, generation: Number(generation), size: Number(size), checkpoints: Number(checkpoints) }
}

/** Throws SealerReplaced if another sealer or a rebuild has changed the log. */
export async function saveScrub(sql: Sql, epoch: number, state: ScrubState): Promise<void> {
  const { generation, position, size, root, checkpoints } = state
  const rows = await sql.query(
    `update ${SEALED_SCHEMA}.scrub set generation = $2, position = $3, size = $4, root = $5, checkpoints = $6
     where ${IS_SEALER} returning 1`,
    [epoch, generation, position, size, root, checkpoints],
  )
  if (rows.length === 0) throw new SealerReplaced()
}

/** A scrub starts from the beginning. */
export async function beginScrub(sql: Sql, { epoch, generation }: SealerTerm): Promise<void> {
  const rows = await sql.query(
    `update ${SEALED_SCHEMA}.scrub
     set generation = $2, position = $3, size = 0, root = '', checkpoints = 0, began_at = clock_timestamp()
     where ${IS_SEALER} returning 1`,
    [epoch, generation, BEGINNING],
  )
  if (rows.length === 0) throw new SealerReplaced()
}

/** A whole scrub found no difference, so receipts that failed to verify before it began have been repaired. */
export async function finishScrub(database: Database, { epoch, generation }: SealerTerm): Promise<void> {
  await database.transaction(async (sql) => {
    const [scrub] = await sql.query<{ beganAt: string | null }>(
      `update ${SEALED_SCHEMA}.scrub
       set position = $3, size = 0, root = '', checkpoints = 0, finished_at = clock_timestamp()
       where ${IS_SEALER} returning began_at`,
      [epoch, generation, BEGINNING],
    )
    if (!scrub) throw new SealerReplaced()
    await sql.query(
      `update ${SEALED_SCHEMA}.progress set receipt_fault = null, receipt_event = null, receipt_fault_at = null
       where receipt_fault_at < (select began_at from ${SEALED_SCHEMA}.scrub)`,
    )
  })
}

const IS_SEALER = `exists (select from ${SEALED_SCHEMA}.progress where epoch = $1 and progress.generation = $2)`

/** Seconds since the last whole scrub finished or, before the first one, since the log was set up. */
export async function scrubAgeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ seconds: number }>(
    `select extract(epoch from clock_timestamp() - coalesce(finished_at, created_at))::float8 as seconds
     from ${SEALED_SCHEMA}.scrub`,
  )
  if (!row) throw new Error(`table ${SEALED_SCHEMA}.scrub has no row: the migrations of this database are incomplete`)
  return row.seconds
}
