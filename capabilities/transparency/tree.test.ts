import { describe, expect, test } from 'vitest'
import { GrowingTree } from './growingTree.ts'
import { leafHash } from './hashes.ts'
import { consistencyProof, inclusionProof, type ReadTiles } from './proofs.ts'
import { joinEntries, parseTilePath, splitHashes, TILE_WIDTH, tilePath, tileWidth } from './tiles.ts'

describe('the tree', () => {
  /** The vectors that implementations of RFC 6962 share: eight leaves, and the root after each. */
  const vectors = [
    ['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    ['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    ['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    ['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    ['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    ['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    ['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    ['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ] as const

  test('has the published roots of RFC 6962', () => {
    const tree = new GrowingTree()
    expect(Buffer.from(tree.root()).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    for (const [leaf, root] of vectors) {
      tree.append(leafHash(Buffer.from(leaf, 'hex')))
      expect(Buffer.from(tree.root()).toString('hex')).toBe(root)
    }
  })

  const none: ReadTiles = async (tiles) => tiles.map(() => new Uint8Array())
  test('refuses proofs of leaves and trees that it does not have', async () => {
    await expect(inclusionProof(5, 5, none)).rejects.toThrow('a tree of 5 leaves has no leaf 5')
    await expect(inclusionProof(-1, 5, none)).rejects.toThrow('no leaf -1')
    await expect(inclusionProof(256, 300, none, 256)).rejects.toThrow(
      'leaf 256 is in no perfect subtree of 256 leaves in a tree of 300',
    )
    await expect(consistencyProof(6, 5, none)).rejects.toThrow('a tree of 5 leaves does not contain one of 6')
    expect(await consistencyProof(0, 5, none)).toEqual([])
  })

  test('names a tile that is missing or too short', async () => {
    await expect(inclusionProof(0, 300, none)).rejects.toThrow(
      /tile \d of level 0 is missing or shorter than \d+ hashes/,
    )
    expect(() => GrowingTree.resume(300, [])).toThrow('tile 1 of level 0 has 0 hashes, a tree of 300 needs 44')
    expect(() => splitHashes(new Uint8Array(33))).toThrow('33 bytes')
  })
})

describe('tiles', () => {
  test('have the paths of tlog-tiles', () => {
    expect(tilePath({ level: 0, index: 0, width: TILE_WIDTH })).toBe('tile/0/000')
    expect(tilePath({ level: 2, index: 1_234_067, width: TILE_WIDTH })).toBe('tile/2/x001/x234/067')
    expect(tilePath({ level: 'entries', index: 1_000, width: 7 })).toBe('tile/entries/x001/000.p/7')
  })

  test.for(['tile/0/000', 'tile/63/x001/x234/067', 'tile/entries/x001/000.p/7', 'tile/1/999.p/255'])(
    'the path %s can be read',
    (path) => {
      const ref = parseTilePath(path)
      expect(ref && tilePath(ref)).toBe(path)
    },
  )

  test.for([
    ...['tile/0/00', 'tile/0/0000', 'tile/00/000', 'tile/64/000', 'tile/0/x000/001', 'tile/0/001/002', 'tile/8/0/000'],
    ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/01', 'tile/-1/000', 'tile/data/000', 'tile/0/000/', ''],
  ])('%s is not the path of a tile', (path) => {
    expect(parseTilePath(path)).toBeUndefined()
  })

  test('a tree of 70,000 leaves has the tiles that tlog-tiles specifies', () => {
    const widths = GrowingTree.edgeOf(70_000)
    expect(widths).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ])
    expect(tileWidth(70_000, { level: 0, index: 272 })).toBe(TILE_WIDTH)
    expect(tileWidth(70_000, { level: 0, index: 274 })).toBe(0)
    expect(GrowingTree.edgeOf(256)).toEqual([{ level: 1, index: 0, width: 1 }])
  })

  test('a bundle has the length of each entry before it', () => {
    expect([...joinEntries([Buffer.from('abc'), Buffer.alloc(0), Buffer.alloc(258, 1)])].slice(0, 9)).toEqual([
      ...[0, 3, 97, 98, 99],
      ...[0, 0, 1, 2],
    ])
  })
})
