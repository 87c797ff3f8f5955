import { expect, test } from 'vitest'
import {
  grown,
  hex,
  naivePath,
  naiveRoot,
  naiveSubproof,
  sampleLeaves,
} from '../../test/support/transparency/naiveTree.ts'
import { consistencyProof, inclusionProof } from './proofs.ts'

const MANY = 66_000
const leaves = sampleLeaves(MANY)

test('a tree in tiles gets a third level after 65,536 leaves', async () => {
  const { tree, readTiles } = grown(leaves)
  expect(hex([tree.root()])).toEqual(hex([naiveRoot(leaves)]))
  expect(tree.partialTiles().map(({ level, index, hashes }) => [level, index, hashes.length / 32])).toEqual([
    [0, 257, 208],
    [1, 1, 1],
    [2, 0, 1],
  ])
  for (const index of [0, 65_535, 65_536, MANY - 1]) {
    expect(hex(await inclusionProof(index, MANY, readTiles))).toEqual(hex(naivePath(index, leaves)))
  }
  expect(hex(await consistencyProof(65_536, MANY, readTiles))).toEqual(hex(naiveSubproof(65_536, leaves, true)))
})
