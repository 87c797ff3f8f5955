import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY } from '../support/transparency/sampleTransparencyLog.ts'
import { goVerifier, type Offer, pythonVerifier, type Report } from './others.ts'
import { filesOf, type ReadFile, type Sample, sampleTransparencyLog, writeSample } from './sampleFolder.ts'
import { type ServedTransparencyLog, startServedTransparencyLog } from './servedTransparencyLog.ts'

let files: ReadFile
let sample: Sample
let served: ServedTransparencyLog | undefined
beforeAll(async () => {
  const starting = startServedTransparencyLog()
  const sampled = await sampleTransparencyLog()
  files = filesOf(sampled.transparencyLog)
  sample = sampled.sample
  served = await starting
})
afterAll(() => served?.stop())

const others = [
  { name: "Go's golang.org/x/mod/sumdb", offer: goVerifier },
  { name: "Python's aics-tlog", offer: pythonVerifier },
]

/** Another signature, proof or hash of the right form: only its value is wrong. */
const changed = (base64: string) => base64.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))

describe.for(others)('$name', ({ offer }) => {
  let verifier: Offer
  beforeAll(async () => {
    verifier = await offer()
  })

  async function reportOn(
    context: { skip: (reason: string) => void },
    given: Sample,
    edit: (folder: string, write: (name: string, content: Uint8Array) => void) => void = () => {},
    readFile = files,
  ): Promise<Report> {
    if ('missing' in verifier) {
      context.skip(verifier.missing)
      throw new Error('a skipped test does not go on')
    }
    using written = await writeSample(readFile, given)
    edit(written.folder, written.write)
    return await verifier.verify(written.folder)
  }

  test('verifies every note, tile, inclusion proof and consistency proof of a log', async (context) => {
    const { faults, verified } = await reportOn(context, sample)
    expect(faults).toEqual([])
    expect(verified).toMatchObject({
      note: sample.checkpoints.length,
      root: sample.checkpoints.length,
      inclusion: sample.inclusion.length,
      consistency: sample.consistency.length,
    })
    expect(verified.tile).toBeGreaterThan(sample.checkpoints.length)
  })

  test('verifies the checkpoints, tiles, entries and receipts that npm start serves', async (context) => {
    if (served === undefined) throw new Error('the installation did not start')
    const { faults, verified } = await reportOn(context, served.sample, undefined, served.readFile)
    expect(faults).toEqual([])
    expect(verified).toMatchObject({ note: 2, root: 2, inclusion: served.sample.inclusion.length, consistency: 1 })
  })

  test('finds a note whose text was changed after it was signed', async (context) => {
    const checkpoints = sample.checkpoints.map(({ size, note }, at) => ({
      size,
      note: at === 3 ? note.replace('\n8\n', '\n9\n') : note,
    }))
    const { faults } = await reportOn(context, { ...sample, checkpoints })
    expect(faults[0]).toMatch(/^note 3: /)
  })

  test('finds an edited tile', async (context) => {
    const { faults } = await reportOn(context, sample, (folder, write) => {
      const tile = readFileSync(path.join(folder, 'tile/0/001'))
      tile[40] = (tile[40] ?? 0) ^ 1
      write('tile/0/001', tile)
    })
    expect(faults.some((fault) => /^tile .*\/001: /.test(fault))).toBe(true)
  })

  test('finds an edited entry', async (context) => {
    const { faults } = await reportOn(context, sample, (folder, write) => {
      const bundle = readFileSync(path.join(folder, 'tile/entries/000'))
      bundle[10] = (bundle[10] ?? 0) ^ 1
      write('tile/entries/000', bundle)
    })
    expect(faults.some((fault) => fault.startsWith('root '))).toBe(true)
  })

  test('finds a changed inclusion proof and a changed consistency proof', async (context) => {
    const at = sample.inclusion.findIndex(({ size, index }) => size === 600 && index === 200)
    const between = sample.consistency.findIndex(({ from, to }) => from === 257 && to === 600)
    const edited = <Proof extends { proof: readonly string[] }>(proofs: readonly Proof[], which: number) =>
      proofs.map((given, index) => (index === which ? { ...given, proof: given.proof.map(changed) } : given))
    const { faults } = await reportOn(context, {
      ...sample,
      inclusion: edited(sample.inclusion, at),
      consistency: edited(sample.consistency, between),
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'inclusion of 200 in 600',
      'consistency of 600 with 257',
    ])
  })
})

test('the checker that npm start serves verifies its receipts, also since an older checkpoint', async () => {
  if (served === undefined) throw new Error('the installation did not start')
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-proof-'))
  const [program, receipt, since] = ['check.mjs', 'receipt.json', 'checkpoint'].map((name) => path.join(folder, name))
  const args = [program ?? '', receipt ?? '', '--vkey', KEY.vkey, '--since', since ?? '']
  writeFileSync(program ?? '', served.checker)
  writeFileSync(since ?? '', served.older)
  try {
    for (const each of served.receipts) {
      writeFileSync(receipt ?? '', JSON.stringify(each))
      expect((await promisify(execFile)(process.execPath, args)).stdout).toMatch(
        /\nok {6}price .*\nok {6}book .*\nok {6}since .*\nverified\n$/s,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
