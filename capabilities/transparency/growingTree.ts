import { type Hash, rootOver } from './hashes.ts'
import {
  GROUP_WIDTH,
  joinHashes,
  leavesPerHash,
  splitHashes,
  TILE_WIDTH,
  type Tile,
  type TileRef,
  tileWidth,
} from './tiles.ts'

/**
 * A tree to which leaves are appended. It keeps only the incomplete tiles of its right edge: at most 255 hashes a
 * level, and four levels cover four billion leaves.
 */
export class GrowingTree {
  #size = 0
  readonly #edge: Hash[][] = []

  /** The tiles that `resume` needs for a tree of this size. */
  static edgeOf(size: number): TileRef[] {
    const refs: TileRef[] = []
    for (let level = 0; leavesPerHash(level) <= size; level += 1) {
      const index = Math.floor(size / leavesPerHash(level + 1))
      const width = tileWidth(size, { level, index })
      if (width > 0) refs.push({ level, index, width })
    }
    return refs
  }

  /** Continues a tree of this size from the tiles that `edgeOf` names. A stored tile may have become wider since. */
  static resume(size: number, edge: readonly Tile[]): GrowingTree {
    const tree = new GrowingTree()
    tree.#size = size
    for (const { level, index, width } of GrowingTree.edgeOf(size)) {
      const hashes = splitHashes(
        edge.find((tile) => tile.level === level && tile.index === index)?.hashes ?? Buffer.of(),
      )
      if (hashes.length < width) {
        throw new Error(`tile ${index} of level ${level} has ${hashes.length} hashes, a tree of ${size} needs ${width}`)
      }
      tree.#level(level).push(...hashes.slice(0, width))
    }
    return tree
  }

  get size(): number {
    return this.#size
  }

  /** Returns the tiles that this leaf completed, lowest level first; usually none. */
  append(leaf: Hash): Tile[] {
    this.#size += 1
    const full: Tile[] = []
    let hash = leaf
    for (let level = 0; ; level += 1) {
      const hashes = this.#level(level)
      hashes.push(hash)
      if (hashes.length < TILE_WIDTH) return full
      const groups = groupRoots(hashes)
      const index = this.#size / leavesPerHash(level + 1) - 1
      full.push({ level, index, hashes: joinHashes(hashes), groups: joinHashes(groups) })
      hash = rootOver(groups)
      hashes.length = 0
    }
  }

  /** The incomplete tiles of the right edge, as a checkpoint of this size needs them. */
  partialTiles(): Tile[] {
    return GrowingTree.edgeOf(this.#size).map(({ level, index }) => ({
      level,
      index,
      hashes: joinHashes(this.#level(level)),
    }))
  }

  root(): Hash {
    let rest: Hash | undefined
    for (const hashes of this.#edge) {
      const subtrees = rest === undefined ? hashes : [...hashes, rest]
      if (subtrees.length > 0) rest = rootOver(subtrees)
    }
    return rest ?? rootOver([])
  }

  /** Includes the lower levels: a tree that is resumed at 256 leaves has a hash at level 1 and none at level 0. */
  #level(level: number): Hash[] {
    while (this.#edge.length < level) this.#edge.push([])
    this.#edge[level] ??= []
    return this.#edge[level]
  }
}

/** The roots of the groups of a full tile. The tree over them is the tree over its hashes. */
function groupRoots(hashes: readonly Hash[]): Hash[] {
  const roots: Hash[] = []
  for (let from = 0; from < hashes.length; from += GROUP_WIDTH)
    roots.push(rootOver(hashes.slice(from, from + GROUP_WIDTH)))
  return roots
}
