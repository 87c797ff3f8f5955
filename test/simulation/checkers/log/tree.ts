import { createHash } from 'node:crypto'

const HASH_BYTES = 32
const TILE = 256
const GROUP = 16

export function leafOf(entry: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(0)).update(entry).digest()
}

/** The Merkle tree hash of RFC 6962, section 2.1. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest()
  const [only] = leaves
  if (leaves.length === 1 && only) return only
  // The largest power of two below the size.
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  const [left, right] = [rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split))]
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

export type Tile = {
  readonly level: number
  readonly index: number
  readonly hashes: Buffer
  readonly groups: Buffer | null
}

/** The tiles of C2SP tlog-tiles, from the lowest level up; the last one of a level may be partial. */
export function tilesOf(leaves: readonly Buffer[]): Tile[] {
  const tiles: Tile[] = []
  let hashes = leaves
  for (let level = 0; hashes.length > 0; level += 1) {
    const full: Buffer[] = []
    for (let index = 0; index * TILE < hashes.length; index += 1) {
      const own = hashes.slice(index * TILE, (index + 1) * TILE)
      const isFull = own.length === TILE
      if (isFull) full.push(rootOf(own))
      tiles.push({ level, index, hashes: Buffer.concat(own), groups: isFull ? groupsOf(own) : null })
    }
    hashes = full
  }
  return tiles
}

function groupsOf(hashes: readonly Buffer[]): Buffer {
  const roots = Array.from({ length: TILE / GROUP }, (_, at) => rootOf(hashes.slice(at * GROUP, (at + 1) * GROUP)))
  return Buffer.concat(roots, (TILE / GROUP) * HASH_BYTES)
}
