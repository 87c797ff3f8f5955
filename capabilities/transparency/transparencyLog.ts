import type { Sql } from '../../projections/runner/ports.ts'
import { KeptTiles } from './keptTiles.ts'
import type { ReadTiles } from './proofs.ts'
import { latestCheckpoint, readEntries, readTiles, type SignedCheckpoint, TransparencyLogIncomplete } from './reader.ts'
import { joinEntries, TILE_WIDTH, type TileFile, tileWidth } from './tiles.ts'

/** The public view of the log: the latest checkpoint, and the tiles and entries that it covers. */
export class TransparencyLog {
  readonly readTiles: ReadTiles
  readonly #database: Sql
  readonly #kept = new KeptTiles()
  /** The size of the largest signed tree that was seen. */
  #size = 0

  constructor(database: Sql) {
    this.#database = database
    this.readTiles = this.#kept.over(readTiles(database))
  }

  async checkpoint(): Promise<SignedCheckpoint | null> {
    const checkpoint = await latestCheckpoint(this.#database)
    this.#size = Math.max(this.#size, checkpoint?.size ?? 0)
    return checkpoint
  }

  /**
   * The bytes of a tile or of a bundle of entries; null if no checkpoint covers it. Sealed but unsigned entries are not
   * shown: until then the log has not promised to keep them.
   */
  async file(file: TileFile): Promise<Uint8Array | null> {
    const { level, index, width } = file
    const name = { level: level === 'entries' ? 0 : level, index }
    if (tileWidth(this.#size, name) < width) {
      await this.checkpoint()
      if (tileWidth(this.#size, name) < width) return null
    }
    if (level === 'entries') return this.#bundle(file)
    const [bytes] = await this.readTiles([{ level, index, width }])
    return bytes ?? null
  }

  async #bundle(file: TileFile): Promise<Uint8Array> {
    const kept = this.#kept.find(file)
    if (kept !== undefined) return kept
    const first = file.index * TILE_WIDTH
    const entries = await readEntries(this.#database, first, file.width)
    if (entries.length < file.width)
      throw new TransparencyLogIncomplete(`entry in bundle ${file.index} of ${file.width}`)
    const bytes = joinEntries(entries.map(({ entry }) => entry))
    this.#kept.keep(file, bytes)
    return bytes
  }
}
