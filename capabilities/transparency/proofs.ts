import { EMPTY_ROOT, HASH_BYTES, type Hash, nodeHash, perfectRoot, splitPoint } from './hashes.ts'
import { leavesPerHash, TILE_WIDTH, type TileName, type TileRef, tileWidth } from './tiles.ts'

/** Reads hash tiles, in the requested order and at least of the requested width. */
export type ReadTiles = (tiles: readonly TileRef[]) => Promise<readonly Uint8Array[]>

/** Reads all tiles but one, whose hashes are already known. */
export function readTilesBut({ level, index }: TileName, hashes: Uint8Array, readTiles: ReadTiles): ReadTiles {
  const isKnown = (tile: TileRef) =>
    tile.level === level && tile.index === index && hashes.length >= tile.width * HASH_BYTES
  return async (tiles) => {
    const others = (await readTiles(tiles.filter((tile) => !isKnown(tile))))[Symbol.iterator]()
    return tiles.map((tile) => (isKnown(tile) ? hashes : (others.next().value ?? new Uint8Array())))
  }
}

/** The subtree over the leaves from `start` to `end`, which is exclusive. */
type Subtree = { readonly start: number; readonly end: number }

/**
 * RFC 6962, section 2.1.1: from the sibling of the leaf up to a child of the root. With a width, the proof of the perfect
 * subtree of so many leaves that the leaf is in.
 */
export async function inclusionProof(index: number, size: number, readTiles: ReadTiles, width = 1): Promise<Hash[]> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  }
  if (index - (index % width) + width > size) {
    throw new RangeError(`leaf ${index} is in no perfect subtree of ${width} leaves in a tree of ${size}`)
  }
  const path = (start: number, end: number): Subtree[] => {
    if (end - start === width) return []
    const middle = start + splitPoint(end - start)
    return index < middle
      ? [...path(start, middle), { start: middle, end }]
      : [...path(middle, end), { start, end: middle }]
  }
  return readHashes(path(0, size), size, readTiles)
}

/** The proof of one of a power of two of consecutive hashes, in the tree over them. */
export function inclusionWithin(hashes: Uint8Array, index: number): Hash[] {
  const proof: Hash[] = []
  for (let width = 1; width * HASH_BYTES < hashes.length; width *= 2) {
    const sibling = (Math.floor(index / width) ^ 1) * width
    proof.push(perfectRoot(hashes.subarray(sibling * HASH_BYTES, (sibling + width) * HASH_BYTES)))
  }
  return proof
}

/** The root that a leaf and its proof lead to (RFC 9162, section 2.1.3.2); undefined if the proof has another length. */
export function rootFromInclusion(leaf: Hash, index: number, size: number, proof: readonly Hash[]): Hash | undefined {
  if (index >= size) return undefined
  const half = (value: number) => Math.floor(value / 2)
  let [node, last, root] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return undefined
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root)
      for (; node % 2 === 0 && node !== 0; last = half(last)) node = half(node)
    } else {
      root = nodeHash(root, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 ? root : undefined
}

/** RFC 6962, section 2.1.2: that the first `from` leaves of the tree of size `to` are the tree of size `from`. */
export async function consistencyProof(from: number, to: number, readTiles: ReadTiles): Promise<Hash[]> {
  if (!Number.isSafeInteger(from) || from < 0 || from > to) {
    throw new RangeError(`a tree of ${to} leaves does not contain one of ${from}`)
  }
  // Every tree contains the empty one, so there is nothing to prove.
  if (from === 0) return []
  const path = (start: number, end: number, isWholeOldTree: boolean): Subtree[] => {
    if (from === end) return isWholeOldTree ? [] : [{ start, end }]
    const middle = start + splitPoint(end - start)
    return from <= middle
      ? [...path(start, middle, isWholeOldTree), { start: middle, end }]
      : [...path(middle, end, false), { start, end: middle }]
  }
  return readHashes(path(0, to, true), to, readTiles)
}

/** The root of the first `size` leaves. */
export async function rootAt(size: number, readTiles: ReadTiles): Promise<Hash> {
  const [root = EMPTY_ROOT] = size === 0 ? [] : await readHashes([{ start: 0, end: size }], size, readTiles)
  return root
}

/** A subtree on the right edge of a tree is not perfect. It consists of perfect ones, each smaller than the one before. */
function perfectParts({ start, end }: Subtree): Subtree[] {
  const parts: Subtree[] = []
  for (let at = start; at < end; ) {
    const length = splitPoint(end - at + 1)
    parts.push({ start: at, end: at + length })
    at += length
  }
  return parts
}

/** The tile that holds a perfect subtree, and which of its hashes the subtree covers. */
function placeOf({ start, end }: Subtree, size: number): { tile: TileRef; from: number; count: number } {
  let level = 0
  while (leavesPerHash(level + 1) <= end - start) level += 1
  const first = start / leavesPerHash(level)
  const index = Math.floor(first / TILE_WIDTH)
  const tile = { level, index, width: tileWidth(size, { level, index }) }
  return { tile, from: first % TILE_WIDTH, count: (end - start) / leavesPerHash(level) }
}

/** Roots over fewer hashes are computed each time: a tile has many of them, and they take little time. */
const KNOWN_HASHES_MIN = 8
/** The roots of subtrees of a tile, by start and end. If the reader keeps tiles, each is computed once. */
const knownRoots = new WeakMap<Uint8Array, Map<number, Hash>>()

function rootWithin(tile: Uint8Array, from: number, count: number): Hash {
  const compute = () => perfectRoot(tile.subarray(from * HASH_BYTES, (from + count) * HASH_BYTES))
  if (count < KNOWN_HASHES_MIN) return compute()
  const roots = knownRoots.get(tile) ?? new Map<number, Hash>()
  knownRoots.set(tile, roots)
  const place = from * (TILE_WIDTH + 1) + count
  const root = roots.get(place) ?? compute()
  roots.set(place, root)
  return root
}

/** Reads every tile once, all in one call. */
async function readHashes(subtrees: readonly Subtree[], size: number, readTiles: ReadTiles): Promise<Hash[]> {
  const places = subtrees.map((subtree) => perfectParts(subtree).map((part) => placeOf(part, size)))
  const keyOf = ({ level, index }: TileRef) => `${level}/${index}`
  const wanted = new Map(places.flat().map(({ tile }) => [keyOf(tile), tile]))
  const tiles = await readTiles([...wanted.values()])
  const bytesOf = new Map([...wanted.keys()].map((key, at) => [key, tiles[at] ?? new Uint8Array()]))
  const perfectRoot = ({ tile, from, count }: ReturnType<typeof placeOf>): Hash => {
    const bytes = bytesOf.get(keyOf(tile)) ?? new Uint8Array()
    if (bytes.length < (from + count) * HASH_BYTES) {
      throw new Error(`tile ${tile.index} of level ${tile.level} is missing or shorter than ${tile.width} hashes`)
    }
    return rootWithin(bytes, from, count)
  }
  return places.map((parts) => parts.map(perfectRoot).reduceRight((right, left) => nodeHash(left, right)))
}
