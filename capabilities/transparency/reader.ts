import type { Sql } from '../../projections/runner/ports.ts'
import type { Checkpoint } from './checkpoint.ts'
import { HASH_BYTES, type Hash } from './hashes.ts'
import type { ReadTiles } from './proofs.ts'
import type { TileName } from './tiles.ts'

/** A signed checkpoint, with its public note. */
export type SignedCheckpoint = Checkpoint & {
  /** The revision in the stream of checkpoints. */
  readonly number: number
  readonly note: string
  readonly signedAt: string
}

/** The position of an entry's event, and the entry itself. */
export type SealedEntry = {
  readonly index: number
  readonly entry: Hash
  readonly eventId: string
  readonly companyId: string
  /** Counts the company's entries. */
  readonly number: number
  /** Of the event in the stream of its company, in this store. */
  readonly revision: number
  /** ISO 8601; when the event was first stored. */
  readonly recordedAt: string
}

/** The tree lacks something that a checkpoint covers: it is being rebuilt, or rows of it were deleted. */
export class TransparencyLogIncomplete extends Error {
  constructor(what: string) {
    super(`the transparency log has no ${what}; it is incomplete until it is rebuilt`)
    this.name = 'TransparencyLogIncomplete'
  }
}

/** Reads tiles of the tree, all in one query. A rebuild has its tables in another schema. */
export function readTiles(sql: Sql, schema = 'ledger_log'): ReadTiles {
  return async (tiles) => {
    if (tiles.length === 0) return []
    const rows = await sql.query<{ level: number; index: string; hashes: Buffer }>(
      `select level, index, hashes from ${schema}.tiles
       join unnest($1::smallint[], $2::bigint[]) as wanted (level, index) using (level, index)`,
      [tiles.map(({ level }) => level), tiles.map(({ index }) => index)],
      `tiles of ${schema}`,
    )
    const found = new Map(rows.map(({ level, index, hashes }) => [nameOf({ level, index: Number(index) }), hashes]))
    return tiles.map((tile) => {
      const hashes = found.get(nameOf(tile))
      if (hashes === undefined || hashes.length < tile.width * HASH_BYTES) {
        throw new TransparencyLogIncomplete(`tile ${tile.index} of level ${tile.level} with ${tile.width} hashes`)
      }
      return hashes.subarray(0, tile.width * HASH_BYTES)
    })
  }
}

const nameOf = ({ level, index }: TileName): string => `${level}/${index}`

/**
 * The last signed checkpoint; null before the first. By default of the origin that a restore started, if any: the log
 * may lack what older origins have signed.
 */
export async function latestCheckpoint(sql: Sql, origin?: string): Promise<SignedCheckpoint | null> {
  const rows = await sql.query<CheckpointRow>(
    `select number, origin, size, root, note, signed_at from ledger_log.checkpoints
     where origin = coalesce($1, (select origin from ledger_log.progress), origin) order by number desc limit 1`,
    [origin ?? null],
  )
  return rows[0] === undefined ? null : checkpointOf(rows[0])
}

type CheckpointRow = Omit<SignedCheckpoint, 'number' | 'size'> & { number: string; size: string }

export const checkpointOf = (row: CheckpointRow): SignedCheckpoint => ({
  ...row,
  number: Number(row.number),
  size: Number(row.size),
})

/** The entry of a company's event; null if the event is not sealed yet or not on the company's ledger. */
export async function findEntry(sql: Sql, companyId: string, eventId: string): Promise<SealedEntry | null> {
  const [row] = await sql.query<EntryRow>(
    `select ${ENTRY_COLUMNS} from ledger_log.entries where event_id = $1 and company_id = $2`,
    [eventId, companyId],
  )
  return row === undefined ? null : sealedEntryOf(row)
}

/** Those of the events that are sealed, on whichever ledger. */
export async function sealedAmong(sql: Sql, eventIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ eventId: string }>(
    'select distinct event_id from ledger_log.entries where event_id = any($1::uuid[])',
    [eventIds],
  )
  return rows.map(({ eventId }) => eventId)
}

/** Entries from this index on, in order; fewer than `count` only at the end of the log. */
export async function readEntries(sql: Sql, from: number, count: number): Promise<SealedEntry[]> {
  const rows = await sql.query<EntryRow>(
    `select ${ENTRY_COLUMNS} from ledger_log.entries where index >= $1 and index < $2 order by index`,
    [from, from + count],
  )
  return rows.map(sealedEntryOf)
}

const ENTRY_COLUMNS = 'index, entry, event_id, company_id, number, revision, recorded_at'

type EntryRow = Omit<SealedEntry, 'index' | 'number' | 'revision'> & { index: string; number: string; revision: string }

const sealedEntryOf = (row: EntryRow): SealedEntry => ({
  ...row,
  index: Number(row.index),
  number: Number(row.number),
  revision: Number(row.revision),
})
