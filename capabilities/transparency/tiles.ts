import { HASH_BYTES, type Hash } from './hashes.ts'

/** C2SP tlog-tiles: a tile is a subtree of height 8. */
export const TILE_WIDTH = 256
/** A full tile is stored with the root of each group of this many hashes; most proofs need only those. */
export const GROUP_WIDTH = 16
const LEVEL_MAX = 63

export type TileName = { readonly level: number; readonly index: number }
/** If less than the full width, the tile is the beginning of one that was not full in some tree. */
export type TileRef = TileName & { readonly width: number }
/** A tile, or the bundle of the entries whose hashes are the tile of level 0 with the same index. */
export type TileFile = { readonly level: number | 'entries'; readonly index: number; readonly width: number }
export type Tile = {
  readonly level: number
  readonly index: number
  readonly hashes: Uint8Array
  /** The concatenated roots of its groups; only a full tile has them. */
  readonly groups?: Uint8Array
}

/** The number of leaves under one hash of a tile. */
export const leavesPerHash = (level: number): number => TILE_WIDTH ** level

/** The width of a tile in a tree of this size; 0 if the tree has no such tile. */
export function tileWidth(size: number, { level, index }: TileName): number {
  const hashes = Math.floor(size / leavesPerHash(level))
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
}

/** `tile/0/x001/x234/067.p/12`, the path of tlog-tiles. */
export function tilePath({ level, index, width }: TileFile): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const elements = padded.match(/\d{3}/g) ?? []
  const name = elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element)).join('/')
  return `tile/${level}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

const PATH = /^tile\/(entries|0|[1-9]\d?)\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** undefined if the text is not the path of a tile. Every tile has exactly one path: other spellings are refused. */
export function parseTilePath(path: string): TileFile | undefined {
  const [, levelText, name, widthText] = PATH.exec(path) ?? []
  if (levelText === undefined || name === undefined) return undefined
  const file: TileFile = {
    level: levelText === 'entries' ? 'entries' : Number(levelText),
    index: Number(name.replaceAll(/[x/]/g, '')),
    width: widthText === undefined ? TILE_WIDTH : Number(widthText),
  }
  if (file.level !== 'entries' && file.level > LEVEL_MAX) return undefined
  return tilePath(file) === path ? file : undefined
}

export function joinHashes(hashes: readonly Hash[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * HASH_BYTES)
  for (const [at, hash] of hashes.entries()) bytes.set(hash, at * HASH_BYTES)
  return bytes
}

export function splitHashes(bytes: Uint8Array): Hash[] {
  if (bytes.length % HASH_BYTES !== 0) throw new Error(`a tile of ${bytes.length} bytes does not consist of hashes`)
  const hashes: Hash[] = []
  for (let at = 0; at < bytes.length; at += HASH_BYTES) hashes.push(bytes.subarray(at, at + HASH_BYTES))
  return hashes
}

/** An entry bundle of tlog-tiles: every entry after its length as two bytes. */
export function joinEntries(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]))
}
