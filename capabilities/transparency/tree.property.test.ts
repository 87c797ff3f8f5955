import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isConsistent, rootFromInclusion } from '../../check/check.mjs'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import {
  grown,
  hex,
  naivePath,
  naiveRoot,
  naiveSubproof,
  sampleLeaves,
} from '../../test/support/transparency/naiveTree.ts'
import { GrowingTree } from './growingTree.ts'
import { EMPTY_ROOT, sha256 } from './hashes.ts'
import {
  consistencyProof,
  inclusionProof,
  inclusionWithin,
  rootFromInclusion as ourRoot,
  type ReadTiles,
  readTilesBut,
  rootAt,
} from './proofs.ts'
import { GROUP_WIDTH, joinHashes, TILE_WIDTH, tileWidth } from './tiles.ts'

const leaves = sampleLeaves(3 * TILE_WIDTH)

const runs = { numRuns: propertyRuns({ few: 25, many: 200 }) }
/** Sizes around the widths of tiles and subtrees are the most likely to go wrong. */
const size = fc.oneof(fc.integer({ min: 1, max: 700 }), fc.constantFrom(1, 2, 3, 255, 256, 257, 511, 512, 513))

/** The same proof, if the lowest tile of the leaf need not be read. */
async function withItsTileKnown(index: number, count: number, readTiles: ReadTiles): Promise<Uint8Array[]> {
  const tile = { level: 0, index: Math.floor(index / TILE_WIDTH) }
  const [hashes = new Uint8Array()] = await readTiles([{ ...tile, width: tileWidth(count, tile) }])
  const readOthers: ReadTiles = (tiles) => {
    expect(tiles.filter(({ level, index: at }) => level === 0 && at === tile.index)).toEqual([])
    return readTiles(tiles)
  }
  return inclusionProof(index, count, readTilesBut(tile, hashes, readOthers))
}

describe('a tree in tiles', () => {
  test('has the root that RFC 6962 defines, at every size up to three tiles', () => {
    const tree = new GrowingTree()
    expect(hex([tree.root()])).toEqual(hex([EMPTY_ROOT]))
    for (const [at, leaf] of leaves.entries()) {
      tree.append(leaf)
      // The naive root of every size would take seconds; the edges are where a tile begins or ends.
      if (at % TILE_WIDTH < 3 || at % TILE_WIDTH > 253 || at % 61 === 0) {
        expect(hex([tree.root()])).toEqual(hex([naiveRoot(leaves.slice(0, at + 1))]))
      }
    }
  })

  test('proves inclusion as RFC 6962 defines it, and the checker accepts the proof for this leaf only', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), async (count, pick) => {
        const index = pick % count
        const { tree, readTiles } = grown(leaves.slice(0, count))
        const proof = await inclusionProof(index, count, readTiles)
        expect(hex(proof)).toEqual(hex(naivePath(index, leaves.slice(0, count))))
        expect(await withItsTileKnown(index, count, readTiles)).toEqual(proof)
        const rootOf = async (leaf: number, at: number) => {
          const root = await rootFromInclusion(leaves[leaf] ?? EMPTY_ROOT, at, count, proof)
          // Receipts are verified before they are given out, by a copy of the same algorithm.
          const ours = ourRoot(leaves[leaf] ?? EMPTY_ROOT, at, count, proof)
          expect(ours && hex([ours])).toEqual(root === null ? undefined : hex([root]))
          return root === null ? null : Buffer.from(root).toString('hex')
        }
        const root = Buffer.from(tree.root()).toString('hex')
        expect(await rootOf(index, index)).toBe(root)
        expect(await rootOf(index + 1, index)).not.toBe(root)
        if (count > 1) expect(await rootOf(index, (index + 1) % count)).not.toBe(root)
      }),
      runs,
    )
  })

  test('proves inclusion in a full tile without reading it, from the leaves of a group and the roots of all groups', async () => {
    const inFullTile = fc.integer({ min: TILE_WIDTH, max: leaves.length })
    await fc.assert(
      fc.asyncProperty(inFullTile, fc.nat(), async (count, pick) => {
        const index = pick % (count - (count % TILE_WIDTH))
        const tile = Math.floor(index / TILE_WIDTH)
        const { readTiles, groups } = grown(leaves.slice(0, count))
        const readOthers: ReadTiles = (tiles) => {
          expect(tiles.filter((read) => read.level === 0 && read.index === tile)).toEqual([])
          return readTiles(tiles)
        }
        const first = index - (index % GROUP_WIDTH)
        const proof = [
          ...inclusionWithin(joinHashes(leaves.slice(first, first + GROUP_WIDTH)), index - first),
          ...inclusionWithin(groups.get(`0/${tile}`) ?? new Uint8Array(), (first % TILE_WIDTH) / GROUP_WIDTH),
          ...(await inclusionProof(index, count, readOthers, TILE_WIDTH)),
        ]
        expect(hex(proof)).toEqual(hex(await inclusionProof(index, count, readTiles)))
      }),
      runs,
    )
  })

  test('proves consistency as RFC 6962 defines it, and the checker accepts the proof for these trees only', async () => {
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), async (count, pick) => {
        const from = 1 + (pick % count)
        const { tree, readTiles } = grown(leaves.slice(0, count))
        const proof = await consistencyProof(from, count, readTiles)
        expect(hex(proof)).toEqual(hex(naiveSubproof(from, leaves.slice(0, count), true)))
        const older = { origin: 'o', size: from, root: naiveRoot(leaves.slice(0, from)) }
        const newer = { origin: 'o', size: count, root: tree.root() }
        if (from === count) return
        expect(await isConsistent(older, newer, proof)).toBe(true)
        expect(await isConsistent({ ...older, root: sha256('another') }, newer, proof)).toBe(false)
        expect(await isConsistent(older, { ...newer, root: sha256('another') }, proof)).toBe(false)
        expect(await isConsistent(older, newer, proof.slice(1))).toBe(false)
      }),
      runs,
    )
  })

  test('has, from its tiles, the root of every earlier size, and can be continued from any of them', async () => {
    await fc.assert(
      fc.asyncProperty(size, size, async (count, other) => {
        const earlier = Math.min(count, other)
        const { tree, tiles } = grown(leaves.slice(0, count))
        const readTiles: ReadTiles = async (wanted) =>
          wanted.map(({ level, index }) => tiles.get(`${level}/${index}`) ?? new Uint8Array())
        const root = await rootAt(earlier, readTiles)
        expect(hex([root])).toEqual(hex([naiveRoot(leaves.slice(0, earlier))]))

        const edge = GrowingTree.edgeOf(earlier)
        const hashes = await readTiles(edge)
        const stored = edge.map(({ level, index }, at) => ({ level, index, hashes: hashes[at] ?? root }))
        const resumed = GrowingTree.resume(earlier, stored)
        expect(hex([resumed.root()])).toEqual(hex([root]))
        for (const leaf of leaves.slice(earlier, count)) resumed.append(leaf)
        expect(hex([resumed.root()])).toEqual(hex([tree.root()]))
      }),
      runs,
    )
  })
})
