import { expect } from 'vitest'
import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import {
  EMPTY_ROOT,
  type Hash,
  leafHash,
  nodeHash,
  sha256,
  splitPoint,
} from '../../../capabilities/transparency/hashes.ts'
import type { ReadTiles } from '../../../capabilities/transparency/proofs.ts'
import { tileWidth } from '../../../capabilities/transparency/tiles.ts'

/** RFC 6962, sections 2.1 to 2.1.2, word for word and without tiles. */
export function naiveRoot(leaves: readonly Hash[]): Hash {
  const [first] = leaves
  if (first === undefined) return EMPTY_ROOT
  if (leaves.length === 1) return first
  const split = splitPoint(leaves.length)
  return nodeHash(naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)))
}

export function naivePath(index: number, leaves: readonly Hash[]): Hash[] {
  if (leaves.length === 1) return []
  const split = splitPoint(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...naivePath(index, left), naiveRoot(right)]
    : [...naivePath(index - split, right), naiveRoot(left)]
}

export function naiveSubproof(from: number, leaves: readonly Hash[], isWhole: boolean): Hash[] {
  if (from === leaves.length) return isWhole ? [] : [naiveRoot(leaves)]
  const split = splitPoint(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return from <= split
    ? [...naiveSubproof(from, left, isWhole), naiveRoot(right)]
    : [...naiveSubproof(from - split, right, false), naiveRoot(left)]
}

export const sampleLeaves = (count: number): Hash[] =>
  Array.from({ length: count }, (_, at) => leafHash(sha256(String(at))))

/** A tree of these leaves with all its tiles, including those of its right edge. */
export function grown(leaves: readonly Hash[]): {
  tree: GrowingTree
  readTiles: ReadTiles
  tiles: Map<string, Uint8Array>
  /** Of the full tiles. */
  groups: Map<string, Uint8Array>
} {
  const tree = new GrowingTree()
  const tiles = new Map<string, Uint8Array>()
  const groups = new Map<string, Uint8Array>()
  for (const leaf of leaves) {
    for (const tile of tree.append(leaf)) {
      tiles.set(`${tile.level}/${tile.index}`, tile.hashes)
      groups.set(`${tile.level}/${tile.index}`, tile.groups ?? new Uint8Array())
    }
  }
  for (const tile of tree.partialTiles()) tiles.set(`${tile.level}/${tile.index}`, tile.hashes)
  const readTiles: ReadTiles = async (wanted) =>
    wanted.map(({ level, index, width }) => {
      expect(width).toBe(tileWidth(leaves.length, { level, index }))
      return tiles.get(`${level}/${index}`) ?? new Uint8Array()
    })
  return { tree, readTiles, tiles, groups }
}

export const hex = (hashes: readonly Hash[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'))
