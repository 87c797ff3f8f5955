import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { consistencyProof, inclusionProof } from '../../capabilities/transparency/proofs.ts'
import { joinEntries, TILE_WIDTH, type TileFile, tilePath, tileWidth } from '../../capabilities/transparency/tiles.ts'
import { charged, granted } from '../support/events/ledgerEvents.ts'
import { base64, KEY, OLD_KEY, ORIGIN, SampleTransparencyLog } from '../support/transparency/sampleTransparencyLog.ts'

/** Around the widths of tiles and subtrees, and enough for a second level. */
const SIZES = [1, 2, 3, 8, 255, 256, 257, 511, 600] as const
const COMPANIES = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const

export type Sample = {
  readonly origin: string
  readonly keys: readonly { readonly private: string; readonly vkey: string }[]
  readonly checkpoints: readonly { readonly size: number; readonly note: string }[]
  readonly inclusion: readonly { readonly size: number; readonly index: number; readonly proof: readonly string[] }[]
  readonly consistency: readonly { readonly from: number; readonly to: number; readonly proof: readonly string[] }[]
}

/** A log of sample events with a checkpoint at each size, every one signed by both keys of a rotation. */
export async function sampleTransparencyLog(): Promise<{ transparencyLog: SampleTransparencyLog; sample: Sample }> {
  const transparencyLog = new SampleTransparencyLog()
  const keys = [KEY, OLD_KEY]
  for (const size of SIZES) {
    while (transparencyLog.size < size) {
      const company = transparencyLog.size % 3 === 0 ? COMPANIES[0] : COMPANIES[1]
      transparencyLog.append(company, transparencyLog.size < 2 ? granted(company) : charged(company))
    }
    transparencyLog.checkpoint(keys)
  }
  const inclusion = []
  const consistency = []
  for (const size of SIZES) {
    for (const index of new Set([0, Math.floor(size / 3), Math.floor(size / 2), size - 1])) {
      inclusion.push({ size, index, proof: (await inclusionProof(index, size, transparencyLog.readTiles)).map(base64) })
    }
    for (const from of SIZES.filter((smaller) => smaller <= size)) {
      consistency.push({
        from,
        to: size,
        proof: (await consistencyProof(from, size, transparencyLog.readTiles)).map(base64),
      })
    }
  }
  const sample: Sample = {
    origin: ORIGIN,
    keys: keys.map((key) => ({ private: key.text, vkey: key.vkey })),
    checkpoints: [...transparencyLog.checkpoints].map(([size, note]) => ({ size, note })),
    inclusion,
    consistency,
  }
  return { transparencyLog, sample }
}

/** The bytes of a tile, or of a bundle of entries. */
export type ReadFile = (file: TileFile) => Promise<Uint8Array>

export const filesOf =
  (transparencyLog: SampleTransparencyLog): ReadFile =>
  async ({ level, index, width }) => {
    if (level === 'entries')
      return joinEntries(transparencyLog.entries.slice(index * TILE_WIDTH, index * TILE_WIDTH + width))
    const [hashes = new Uint8Array()] = await transparencyLog.readTiles([{ level, index, width }])
    return hashes
  }

/** Writes sample.json and, as tlog-tiles lays them out, every tile and bundle that a checkpoint needs. */
export async function writeSample(readFile: ReadFile, sample: Sample) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-proof-'))
  const write = (name: string, content: Uint8Array | string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  for (const { size } of sample.checkpoints) {
    for (let level = 0; TILE_WIDTH ** level <= size; level += 1) {
      for (let index = 0; tileWidth(size, { level, index }) > 0; index += 1) {
        const tile = { level, index, width: tileWidth(size, { level, index }) }
        const bundle = { ...tile, level: 'entries' } as const
        for (const file of level > 0 ? [tile] : [tile, bundle]) write(tilePath(file), await readFile(file))
      }
    }
  }
  write('sample.json', JSON.stringify(sample))
  return { folder, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
