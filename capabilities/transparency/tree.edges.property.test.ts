import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { GrowingTree } from './growingTree.ts'
import { EMPTY_ROOT, HASH_BYTES, type Hash, leafHash, nodeHash, splitPoint } from './hashes.ts'
import { type ReadTiles, rootAt } from './proofs.ts'
import { leavesPerHash, TILE_WIDTH, type Tile } from './tiles.ts'

/** All leaves are the same, so the tiles of a tree of any size are known without building it. */
const LEAF = leafHash(Buffer.alloc(HASH_BYTES, 7))
const roots = new Map<number, Hash>([
  [0, EMPTY_ROOT],
  [1, LEAF],
])

function rootOf(size: number): Hash {
  let root = roots.get(size)
  if (!root) {
    const left = splitPoint(size)
    root = nodeHash(rootOf(left), rootOf(size - left))
    roots.set(size, root)
  }
  return root
}

const hashesOf = (level: number, width: number) =>
  Buffer.concat(Array.from({ length: width }, () => rootOf(leavesPerHash(level))))
const readTiles: ReadTiles = async (wanted) => wanted.map(({ level, width }) => hashesOf(level, width))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const shown = ({ level, index, hashes }: Tile) => `${level}/${index} ${hex(hashes)}`

/** Around every boundary of the tiles of the first four levels. */
const size = fc
  .tuple(
    fc.constantFrom(0, 1, 2, 3),
    fc.constantFrom(0, 1, 2, 255, 256, 257, 511, 512),
    fc.constantFrom(-2, -1, 0, 1, 2, 254, 255, 256, 257),
  )
  .map(([level, hashes, leaves]) => Math.max(0, hashes * leavesPerHash(level) + leaves))

const EDGES = [0, 1, 255, 256, 257, 512, 65_535, 65_536, 65_537, 65_792, 131_072, 2 ** 24]

describe('a tree that is resumed', () => {
  const isContinued = async (from: number, added: number) => {
    expect(hex(await rootAt(from, readTiles))).toBe(hex(rootOf(from)))
    const edge = GrowingTree.edgeOf(from)
    const tree = GrowingTree.resume(
      from,
      edge.map(({ level, index, width }) => ({ level, index, hashes: hashesOf(level, width) })),
    )
    expect(hex(tree.root())).toBe(hex(rootOf(from)))
    const full: Tile[] = []
    for (let nth = 0; nth < added; nth += 1) full.push(...tree.append(LEAF))
    const to = from + added
    expect(tree.size).toBe(to)
    expect(hex(tree.root())).toBe(hex(rootOf(to)))
    expect(tree.partialTiles().map(shown)).toEqual(
      GrowingTree.edgeOf(to).map(({ level, index, width }) => shown({ level, index, hashes: hashesOf(level, width) })),
    )
    const filled: string[] = []
    for (let at = (Math.floor(from / TILE_WIDTH) + 1) * TILE_WIDTH; at <= to; at += TILE_WIDTH) {
      for (let level = 0; at % leavesPerHash(level + 1) === 0; level += 1) {
        const index = at / leavesPerHash(level + 1) - 1
        filled.push(shown({ level, index, hashes: hashesOf(level, TILE_WIDTH) }))
      }
    }
    expect(full.map(shown)).toEqual(filled)
  }

  test.each(EDGES)(
    'at %i leaves has the root, the tiles and the edge of one that was never interrupted',
    async (from) => {
      for (const added of [0, 1, 255, 256, 257]) await isContinued(from, added)
    },
  )

  test('at any size has the root, the tiles and the edge of one that was never interrupted', async () => {
    await fc.assert(fc.asyncProperty(size, fc.constantFrom(0, 1, 2, 255, 256, 257, 600), isContinued), {
      numRuns: propertyRuns({ few: 40, many: 200 }),
    })
  })
})
