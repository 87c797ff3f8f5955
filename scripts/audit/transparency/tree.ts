import type { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import { HASH_BYTES, type Hash, leafHash } from '../../../capabilities/transparency/hashes.ts'
import { TILE_WIDTH, type Tile } from '../../../capabilities/transparency/tiles.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { PagedRows, readPages } from '../pagedRows.ts'
import { leafInTile } from './companyEntries.ts'
import type { AuditFaults } from './faults.ts'

const PAGE_ROWS = 5_000
/** How many tiles are compared with those of the log in one query. */
const TILES_PER_QUERY = 64

type EntryRow = { readonly index: number; readonly entry: Buffer }

/** Rebuilds the tree from the entries, and compares every tile of the log with it. */
export class TreeAudit {
  readonly #sql: Sql
  readonly #faults: AuditFaults
  readonly #corrected: ReadonlyMap<number, Hash>
  readonly #rows: PagedRows<EntryRow>
  readonly #full: Tile[] = []
  readonly tree: GrowingTree

  /** `corrected` has the entries that are wrong in the rows, by index. */
  constructor(sql: Sql, tree: GrowingTree, corrected: ReadonlyMap<number, Hash>, faults: AuditFaults) {
    this.#sql = sql
    this.tree = tree
    this.#corrected = corrected
    this.#faults = faults
    this.#rows = new PagedRows(entryRows(sql, tree.size))
  }

  /** Appends entries until the tree has this size; false if the log has fewer. */
  async growTo(size: number): Promise<boolean> {
    while (this.tree.size < size) {
      if (this.#rows.isAtPageEnd) await this.#rows.turnPage()
      const row = this.#rows.next
      if (row === null) return false
      const index = this.tree.size
      if (row.index === index) this.#rows.advance()
      const leaf = row.index === index ? leafHash(this.#corrected.get(index) ?? row.entry) : await this.#lost(index)
      if (leaf === null) return false
      const full = this.tree.append(leaf)
      if (full.length === 0) continue
      this.#full.push(...full)
      if (this.#full.length >= TILES_PER_QUERY) await this.#compareTiles(this.#full.splice(0))
    }
    return true
  }

  /** Compares the remaining tiles, including those of the right edge. */
  async end(): Promise<void> {
    await this.#compareTiles([...this.#full.splice(0), ...this.tree.partialTiles()])
  }

  /** The tile still has the hash of an entry whose row is gone. */
  async #lost(index: number): Promise<Hash | null> {
    this.#faults.add(`the log has no entry ${index}`, { index })
    return leafInTile(this.#sql, index)
  }

  async #compareTiles(tiles: readonly Tile[]): Promise<void> {
    const stored = await readStored(this.#sql, tiles)
    for (const { level, index, hashes } of tiles) {
      const name = `tile ${index} of level ${level}`
      const found = stored.get(`${level}/${index}`)
      if (found === undefined) this.#faults.add(`the log has no ${name}`)
      else await this.#compareTile(name, { level, index, hashes }, found)
    }
  }

  /** A stored tile may have grown meanwhile. */
  async #compareTile(name: string, { level, index, hashes }: Tile, stored: Buffer): Promise<void> {
    if (Buffer.compare(stored.subarray(0, hashes.length), hashes) === 0) return
    const at = Array.from({ length: hashes.length / HASH_BYTES }, (_, n) => n * HASH_BYTES).find(
      (from) =>
        Buffer.compare(stored.subarray(from, from + HASH_BYTES), hashes.subarray(from, from + HASH_BYTES)) !== 0,
    )
    const first = (index * TILE_WIDTH + (at ?? 0) / HASH_BYTES) * TILE_WIDTH ** level
    const [row] = await this.#sql.query<{ eventId: string; companyId: string; revision: string }>(
      'select event_id, company_id, revision from ledger_log.entries where index = $1',
      [first],
    )
    const place = row && { eventId: row.eventId, companyId: row.companyId, revision: Number(row.revision) }
    this.#faults.add(`${name} does not hold the hashes of its entries, from entry ${first} on`, {
      index: first,
      ...place,
    })
  }
}

function entryRows(sql: Sql, from: number): AsyncIterable<readonly EntryRow[]> {
  const read = async (last: EntryRow | null) => {
    const rows = await sql.query<{ index: string; entry: Buffer }>(
      `select index, entry from ledger_log.entries where index >= $1 order by index limit ${PAGE_ROWS}`,
      [last === null ? from : last.index + 1],
    )
    return rows.map(({ index, entry }) => ({ index: Number(index), entry }))
  }
  return readPages(read, PAGE_ROWS)
}

async function readStored(sql: Sql, tiles: readonly Tile[]): Promise<Map<string, Buffer>> {
  const rows = await sql.query<{ level: number; index: string; hashes: Buffer }>(
    `select level, index, hashes from ledger_log.tiles
     join unnest($1::smallint[], $2::bigint[]) as wanted (level, index) using (level, index)`,
    [tiles.map(({ level }) => level), tiles.map(({ index }) => index)],
  )
  return new Map(rows.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]))
}
