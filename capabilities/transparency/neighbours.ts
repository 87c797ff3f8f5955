import type { Sql } from '../../projections/runner/ports.ts'
import { HASH_BYTES, type Hash, leafHash } from './hashes.ts'
import { inclusionProof, inclusionWithin, type ReadTiles, readTilesBut } from './proofs.ts'
import { GROUP_WIDTH, joinHashes, splitHashes, TILE_WIDTH, type TileName, tileWidth } from './tiles.ts'

/** An entry of a log of this size. */
export type EntryPlace = {
  readonly companyId: string
  /** Counts the company's entries. */
  readonly number: number
  readonly index: number
  readonly size: number
}

/** The neighbours of an entry in the log. */
type Neighbours = {
  /** The company's previous entry; null for its first. */
  readonly previous: Buffer | null
  /** The consecutive entries of its group; null if the log no longer has them. */
  readonly group: Buffer | null
  /** The roots of the groups of its tile; null if the tile was not full in this log, or if they were not stored. */
  readonly groups: Buffer | null
  /** The hashes of its tile; null if the groups are enough. */
  readonly tile: Buffer | null
}

/**
 * In a long log, almost every receipt has other neighbours, on pages that no request has read before. A tile is longer
 * than a page, and five more pages lead to it. The entries of a group are on the page of the entry itself, and the
 * entry before it nearly always is too: a separate index is searched only if it is not among those read.
 */
const NEIGHBOURS = `
  with near as materialized (
    select index, company_id, number, entry from ledger_log.entries
    where index >= $1::bigint - ${GROUP_WIDTH} and index < $1 + ${GROUP_WIDTH})
  select
    coalesce(
      (select entry from near where company_id = $2 and number = $3),
      (select entry from ledger_log.entries where company_id = $2 and number = $3)) as previous,
    (select string_agg(entry, ''::bytea order by index) from near where index >= $1) as "group",
    case when $5 then groups end as groups, case when $5 and groups is not null then null else hashes end as tile
  from (select 1) as one left join ledger_log.tiles on level = 0 and index = $4`

/** The company's previous entry, and a proof that the log contains it, not yet compared with the log's root. */
export async function proveByNeighbours(
  sql: Sql,
  place: EntryPlace,
  readTiles: ReadTiles,
): Promise<{ readonly previous: Buffer | null; readonly inclusion: Hash[] }> {
  const { index, size } = place
  const tile = { level: 0, index: Math.floor(index / TILE_WIDTH) }
  const { previous, group, groups, tile: hashes } = await readNeighbours(sql, place, tile)
  if (groups?.length === (TILE_WIDTH / GROUP_WIDTH) * HASH_BYTES && group?.length === GROUP_WIDTH * HASH_BYTES) {
    const within = index % TILE_WIDTH
    const inclusion = [
      ...inclusionWithin(joinHashes(splitHashes(group).map(leafHash)), within % GROUP_WIDTH),
      ...inclusionWithin(groups, Math.floor(within / GROUP_WIDTH)),
      ...(await inclusionProof(index, size, readTiles, TILE_WIDTH)),
    ]
    return { previous, inclusion }
  }
  const readOthers = readTilesBut(tile, hashes ?? new Uint8Array(), readTiles)
  return { previous, inclusion: await inclusionProof(index, size, readOthers) }
}

async function readNeighbours(
  sql: Sql,
  { companyId, number, index, size }: EntryPlace,
  tile: TileName,
): Promise<Neighbours> {
  const first = index - (index % GROUP_WIDTH)
  const isFull = tileWidth(size, tile) === TILE_WIDTH
  const [row] = await sql.query<Neighbours>(
    NEIGHBOURS,
    [first, companyId, number - 1, tile.index, isFull],
    'neighbours of an entry',
  )
  if (!row) throw new Error('a query without a table has a row')
  return row
}
