import { HASH_BYTES } from './hashes.ts'
import type { ReadTiles } from './proofs.ts'
import { TILE_WIDTH, type TileFile, type TileRef } from './tiles.ts'

/** About 8 KiB each. The tiles above level 0 of ten million entries, and the newest of level 0, are always among them. */
const TILES_MAX = 512

/** The full tiles and bundles that were read last. They never change, so that they need not be read again. */
export class KeptTiles {
  readonly #bytes = new Map<string, Uint8Array>()

  find({ level, index }: Pick<TileFile, 'level' | 'index'>): Uint8Array | undefined {
    const key = `${level}/${index}`
    const bytes = this.#bytes.get(key)
    // A Map keeps its order, so the first key is always the one that was used longest ago.
    if (bytes !== undefined && this.#bytes.delete(key)) this.#bytes.set(key, bytes)
    return bytes
  }

  keep({ level, index, width }: TileFile, bytes: Uint8Array): void {
    if (width < TILE_WIDTH) return
    this.#bytes.set(`${level}/${index}`, bytes)
    const [oldest] = this.#bytes.keys()
    if (this.#bytes.size > TILES_MAX && oldest !== undefined) this.#bytes.delete(oldest)
  }

  /** Reads only those tiles that are not kept. */
  over(readTiles: ReadTiles): ReadTiles {
    return async (tiles) => {
      const found = tiles.map((tile) => this.find(tile)?.subarray(0, tile.width * HASH_BYTES))
      const missing = tiles.filter((_, at) => found[at] === undefined)
      const read = missing.length === 0 ? [] : await readTiles(missing)
      const bytesOf = new Map<TileRef, Uint8Array>()
      for (const [at, tile] of missing.entries()) {
        const bytes = read[at] ?? new Uint8Array()
        bytesOf.set(tile, bytes)
        this.keep(tile, bytes)
      }
      return tiles.map((tile, at) => found[at] ?? bytesOf.get(tile) ?? new Uint8Array())
    }
  }
}
