import { HASH_BYTES, type Hash } from '../../../capabilities/transparency/hashes.ts'
import { readTiles, type SealedEntry } from '../../../capabilities/transparency/reader.ts'
import { TILE_WIDTH } from '../../../capabilities/transparency/tiles.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { readPages } from '../pagedRows.ts'

const PAGE_ROWS = 5_000

type Row = {
  index: string
  entry: Buffer
  eventId: string
  number: string
  revision: string
  recordedAt: string
}

/** The entries of a company in order, between two numbers, in a log of this size. */
export function companyEntries(
  sql: Sql,
  companyId: string,
  { from, until }: { readonly from: number; readonly until: number | null },
  size: number,
): AsyncIterable<readonly SealedEntry[]> {
  const read = async (last: SealedEntry | null) => {
    const rows = await sql.query<Row>(
      `select index, entry, event_id, number, revision, recorded_at from ledger_log.entries
       where company_id = $1 and number >= $2 and number < $3 and index < $4 order by number limit ${PAGE_ROWS}`,
      [companyId, last === null ? from : last.number + 1, until ?? Number.MAX_SAFE_INTEGER, size],
    )
    return rows.map(
      (row): SealedEntry => ({
        index: Number(row.index),
        entry: row.entry,
        eventId: row.eventId,
        companyId,
        number: Number(row.number),
        revision: Number(row.revision),
        recordedAt: row.recordedAt,
      }),
    )
  }
  return readPages(read, PAGE_ROWS)
}

/** The hash of an entry according to the tile of its index; null if there is no such tile. */
export async function leafInTile(sql: Sql, index: number): Promise<Hash | null> {
  const at = index % TILE_WIDTH
  const tile = { level: 0, index: Math.floor(index / TILE_WIDTH), width: at + 1 }
  const [hashes] = await readTiles(sql)([tile]).catch(() => [])
  return hashes?.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES) ?? null
}
