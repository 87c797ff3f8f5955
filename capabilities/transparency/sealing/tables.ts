import { BEGINNING, type Position } from '../../../contracts/position.ts'
import {
  byteaArray,
  int2Array,
  int8Array,
  timestamptzArray,
  uuidArray,
} from '../../../platform/postgres/binaryArrays.ts'
import type { Database, Sql } from '../../../projections/runner/ports.ts'
import { GrowingTree } from '../growingTree.ts'
import { HASH_BYTES, type Hash } from '../hashes.ts'
import { type ReadTiles, rootAt } from '../proofs.ts'
import { readTiles } from '../reader.ts'
import type { Tile } from '../tiles.ts'
import type { RotatedEvent, SignedEvent, TransparencyAddition } from './builder.ts'
import { CheckpointFault, type TransparencyFault } from './fault.ts'

export const SEALED_SCHEMA = 'ledger_log'

export type SealingProgress = {
  readonly position: Position
  readonly size: number
  /** Null until a restore has started an origin that differs from the configured one. */
  readonly origin: string | null
  readonly fault: string | null
  readonly faultEvent: string | null
  /** Counts the rebuilds and restores of the log. */
  readonly generation: number
  /** Why nothing is signed with the configured key. */
  readonly keyFault: string | null
}

/** The sealer that may write, and the log that it started with. */
export type SealerTerm = { readonly epoch: number; readonly generation: number }

/** Another sealer or a rebuild has changed the log, so this one must start over. */
export class SealerReplaced extends Error {
  constructor() {
    super('the transparency log was changed by another sealer or by a rebuild')
    this.name = 'SealerReplaced'
  }
}

type ProgressRow = {
  position: Position
  size: string
  origin: string | null
  fault: string | null
  faultEvent: string | null
  generation: string
  keyFault: string | null
}
const PROGRESS_COLUMNS = 'position, size, origin, fault, fault_event, generation, key_fault'

export async function readProgress(sql: Sql): Promise<SealingProgress> {
  const [row] = await sql.query<ProgressRow>(`select ${PROGRESS_COLUMNS} from ${SEALED_SCHEMA}.progress`)
  return progressOf(row)
}

/** Locks out earlier sealers, and returns where they stopped. */
export async function beginSealing(sql: Sql, epoch: number): Promise<SealingProgress> {
  const [row] = await sql.query<ProgressRow>(
    `update ${SEALED_SCHEMA}.progress set epoch = $1 where epoch < $1 returning ${PROGRESS_COLUMNS}`,
    [epoch],
  )
  if (!row) throw new SealerReplaced()
  return progressOf(row)
}

/**
 * Stores the fault, unless there already is one: the first one counts. A sealer passes its epoch, and throws if another
 * one has replaced it.
 */
export async function saveFault(
  sql: Sql,
  { message, eventId }: TransparencyFault,
  epoch: number | null,
): Promise<void> {
  const rows = await sql.query(
    `update ${SEALED_SCHEMA}.progress
     set fault = coalesce(fault, $1), fault_event = case when fault is null then $2 else fault_event end
     where epoch = coalesce($3, epoch) returning 1`,
    [message, eventId, epoch],
  )
  if (rows.length === 0) throw new SealerReplaced()
}

export async function loadTree(sql: Sql, size: number): Promise<GrowingTree> {
  const edge = GrowingTree.edgeOf(size)
  const tiles = await readTiles(sql)(edge)
  return GrowingTree.resume(
    size,
    edge.map(({ level, index }, at) => ({ level, index, hashes: tiles[at] ?? new Uint8Array() })),
  )
}

/** Appends to the live log, in one transaction that fails if the log is not as this sealer left it. */
export async function writeAddition(
  database: Database,
  { epoch, generation }: SealerTerm,
  addition: TransparencyAddition,
  root: { readonly size: number; readonly root: Hash },
): Promise<void> {
  const { checkpoints, rotations, origin } = addition
  if (addition.entries.length > 0 && checkpoints.length + rotations.length === 0 && addition.fault === null) {
    return writeEntries(database, { epoch, generation }, addition)
  }
  await database.transaction(
    async (sql) => {
      const mine = await sql.query(
        `update ${SEALED_SCHEMA}.progress set size = $3, position = $4, ${NEWER_ORIGIN}
         where epoch = $1 and size = $2 and generation = $7 and fault is null returning 1`,
        [
          epoch,
          addition.from,
          addition.from + addition.entries.length,
          addition.position,
          ...originValues(origin),
          generation,
        ],
      )
      if (mine.length === 0) throw new SealerReplaced()
      await insertAddition(sql, SEALED_SCHEMA, addition, root)
    },
    { repeatable: true },
  )
}

/**
 * The same when only entries are added, which is the usual case: one statement, so that the database works on it while
 * the sealer computes the next addition. The commit does not wait for the disk, because the log can be recomputed.
 */
async function writeEntries(
  database: Database,
  { epoch, generation }: SealerTerm,
  addition: TransparencyAddition,
): Promise<void> {
  const { from, entries, tiles, position, origin } = addition
  const mine = await database.query(
    `with mine as (
       update ${SEALED_SCHEMA}.progress set size = $3, position = $4, ${NEWER_ORIGIN}
       where epoch = $1 and size = $2 and generation = $7 and fault is null returning 1
     ), added as (
       ${insertEntries(SEALED_SCHEMA, 8, 'mine,')}
     ), grown as (
       ${insertTiles(SEALED_SCHEMA, 15, 'mine,')}
     )
     select set_config('synchronous_commit', 'off', true) from mine`,
    [
      epoch,
      from,
      from + entries.length,
      position,
      ...originValues(origin),
      generation,
      ...entryValues(addition),
      ...tileValues(tiles),
    ],
    `entries of ${SEALED_SCHEMA}`,
  )
  if (mine.length === 0) throw new SealerReplaced()
}

/** A restored store is read again from its beginning, but the last origin is known. */
const NEWER_ORIGIN = `origin = case when $6::bigint > origin_number then $5 else origin end,
   origin_number = greatest($6::bigint, origin_number)`

const originValues = (origin: TransparencyAddition['origin']): unknown[] => [
  origin?.data.origin ?? null,
  origin?.revision ?? -1,
]

/** Inserts entries, tiles and checkpoints, after comparing each checkpoint with the tree. */
export async function insertAddition(
  sql: Sql,
  schema: string,
  addition: TransparencyAddition,
  tree: { readonly size: number; readonly root: Hash },
): Promise<void> {
  const { entries, tiles, checkpoints, rotations, fault } = addition
  if (entries.length > 0) {
    await sql.query(insertEntries(schema, 1), entryValues(addition))
    await sql.query(insertTiles(schema, 1), tileValues(tiles))
  }
  for (const checkpoint of checkpoints) await compareCheckpoint(checkpoint, tree, readTiles(sql, schema))
  if (fault) throw fault
  await insertCheckpoints(sql, schema, checkpoints)
  await insertRotations(sql, schema, rotations)
}

/** The statement for `entryValues`, whose parameters start at this one. `source` is joined to them. */
const insertEntries = (schema: string, first: number, source = ''): string =>
  `insert into ${schema}.entries (index, entry, event_id, company_id, number, revision, recorded_at)
   select $${first}::bigint + nth - 1,
          substring($${first + 1}::bytea from (nth::int - 1) * ${HASH_BYTES} + 1 for ${HASH_BYTES}),
          event_id, company_id, number, revision, recorded_at
   from ${source} unnest($${first + 2}::uuid[], $${first + 3}::uuid[], $${first + 4}::bigint[], $${first + 5}::bigint[],
                         $${first + 6}::timestamptz[])
     with ordinality as new (event_id, company_id, number, revision, recorded_at, nth)`

const entryValues = ({ from, entries }: TransparencyAddition): unknown[] => [
  from,
  Buffer.concat(entries.map(({ entry }) => entry)),
  uuidArray(entries.map(({ eventId }) => eventId)),
  uuidArray(entries.map(({ companyId }) => companyId)),
  int8Array(entries.map(({ number }) => number)),
  int8Array(entries.map(({ revision }) => revision)),
  timestamptzArray(entries.map(({ recordedAt }) => recordedAt)),
]

const insertTiles = (schema: string, first: number, source = ''): string =>
  `insert into ${schema}.tiles (level, index, hashes, groups)
   select level, index, hashes, nullif(groups, '')
   from ${source} unnest($${first}::smallint[], $${first + 1}::bigint[], $${first + 2}::bytea[], $${first + 3}::bytea[])
     as new (level, index, hashes, groups)
   on conflict (level, index) do update set hashes = excluded.hashes, groups = excluded.groups`

const tileValues = (tiles: readonly Tile[]): unknown[] => [
  int2Array(tiles.map(({ level }) => level)),
  int8Array(tiles.map(({ index }) => index)),
  byteaArray(tiles.map(({ hashes }) => hashes)),
  byteaArray(tiles.map(({ groups = Buffer.of() }) => groups)),
]

export async function insertCheckpoints(sql: Sql, schema: string, events: readonly SignedEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql.query(
    `insert into ${schema}.checkpoints (number, origin, size, root, note, signed_at)
     select number, origin, size, decode(root, 'base64'), note, signed_at
     from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[])
       as new (number, origin, size, root, note, signed_at)
     on conflict (number) do nothing`,
    [
      events.map(({ revision }) => revision),
      events.map(({ data }) => data.origin),
      events.map(({ data }) => data.size),
      events.map(({ data }) => data.root),
      events.map(({ data }) => data.note),
      events.map(({ data }) => data.signedAt),
    ],
  )
}

export async function insertRotations(sql: Sql, schema: string, events: readonly RotatedEvent[]): Promise<void> {
  for (const { revision, data } of events) {
    const { origin, size, oldVkey, newVkey, note, rotatedAt } = data
    await sql.query(
      `insert into ${schema}.key_rotations (number, origin, size, old_vkey, new_vkey, note, rotated_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (number) do nothing`,
      [revision, origin, size, oldVkey, newVkey, note, rotatedAt],
    )
  }
}

/** Stores why the configured key cannot sign; null if it can. */
export async function saveKeyFault(sql: Sql, fault: string | null): Promise<void> {
  await sql.query(`update ${SEALED_SCHEMA}.progress set key_fault = $1 where key_fault is distinct from $1`, [fault])
}

/** Throws a TransparencyFault if the tree is not the one that was signed. The root of one size may be known already. */
export async function compareCheckpoint(
  { id, data }: SignedEvent,
  known: { readonly size: number; readonly root: Hash } | null,
  tiles: ReadTiles,
): Promise<void> {
  const root = data.size === known?.size ? known.root : await rootAt(data.size, tiles)
  if (Buffer.from(root).toString('base64') === data.root) return
  throw new CheckpointFault(
    `the first ${data.size} ledger events of the store are not those of the checkpoint that was signed at ${data.signedAt}`,
    id,
  )
}

function progressOf(row: ProgressRow | undefined): SealingProgress {
  if (!row) throw new Error('table ledger_log.progress has no row: the migrations of this database are incomplete')
  const { position = BEGINNING, size, origin, fault, faultEvent, keyFault } = row
  return { position, size: Number(size), origin, fault, faultEvent, keyFault, generation: Number(row.generation) }
}
