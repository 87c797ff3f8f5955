import type { ReadTiles } from './proofs.ts'
import { type TileFile, type TileRef, tilePath } from './tiles.ts'

/**
 * 8 KiB each, and as much again for hashes that proofs compute from it. Enough for the tiles above level 0 of ten
 * million entries, and the newest of level 0.
 */
const TILES_MAX = 512

/**
 * The most recently read tiles and bundles. A tile of a given width never changes, so it need not be read again. Each
 * is always the same object, by which proofs find what they computed from it.
 */
export class KeptTiles {
  readonly #bytes = new Map<string, Uint8Array>()

  find(file: TileFile): Uint8Array | undefined {
    const key = tilePath(file)
    const bytes = this.#bytes.get(key)
    // A Map keeps its order, so the first key is always the least recently used one.
    if (bytes !== undefined && this.#bytes.delete(key)) this.#bytes.set(key, bytes)
    return bytes
  }

  keep(file: TileFile, bytes: Uint8Array): void {
    this.#bytes.set(tilePath(file), bytes)
    const [oldest] = this.#bytes.keys()
    if (this.#bytes.size > TILES_MAX && oldest !== undefined) this.#bytes.delete(oldest)
  }

  /** Reads only the tiles that are not in memory. */
  over(readTiles: ReadTiles): ReadTiles {
    return async (tiles) => {
      const found = tiles.map((tile) => this.find(tile))
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
