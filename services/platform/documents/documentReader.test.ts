import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { DocumentReader } from './documentReader.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-threads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A thread that behaves as a library might on a hostile file. */
function thread(name: string, source: string): URL {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads'\n${source}`)
  return pathToFileURL(path)
}

/** A PDF of one page with this content, compressed. */
function pdfWith(content: Buffer): Buffer {
  const packed = deflateSync(content, { level: 1 })
  const head = [
    '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n',
    '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 5 0 R/Resources<</Font<</F1 4 0 R>>>>>> endobj\n',
    '4 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\n',
    `5 0 obj <</Length ${packed.length}/Filter/FlateDecode>>\nstream\n`,
  ]
  const end = '\nendstream endobj\ntrailer <</Size 6/Root 1 0 R>>\n%%EOF'
  return Buffer.concat([Buffer.from(head.join('')), packed, Buffer.from(end)])
}

const bytes = Buffer.from('a document')
/** Longer than a test runs, so that another limit must end the thread. */
const LONG = 600_000
const tooMuch = { name: 'Unreadable', message: 'The file takes too much time or memory to read.' }

describe('a document is refused or fails if it', () => {
  test('exceeds the time limit', async () => {
    const reader = new DocumentReader(systemClock, { readMs: 100 }, thread('endless', 'for (;;);'))
    await expect(reader.read('pdf', bytes)).rejects.toMatchObject(tooMuch)
  })

  test('exceeds the heap limit of its thread', async () => {
    const source = 'const all = []; for (;;) all.push(new Array(10_000).fill({ n: all.length }))'
    const reader = new DocumentReader(systemClock, { heapMbMax: 32, readMs: LONG }, thread('heap', source))
    await expect(reader.read('pdf', bytes)).rejects.toMatchObject(tooMuch)
  })

  test('exceeds the memory limit outside the heap', async () => {
    const source = 'const all = []; for (;;) if (all.length < 100) all.push(Buffer.alloc(4 * 1024 * 1024, 1))'
    const reader = new DocumentReader(
      systemClock,
      { buffersBytesMax: 64 * 1024 * 1024, readMs: LONG },
      thread('buffers', source),
    )
    await expect(reader.read('docx', bytes)).rejects.toMatchObject(tooMuch)
  })

  test('unpacks to too much memory: a real PDF, read by the real library', async () => {
    const reader = new DocumentReader(systemClock, { buffersBytesMax: 64 * 1024 * 1024, readMs: LONG })
    await expect(reader.read('pdf', pdfWith(Buffer.alloc(150 * 1024 * 1024, ' ')))).rejects.toMatchObject(tooMuch)
    await expect(reader.read('pdf', pdfWith(Buffer.from('BT /F1 12 Tf (Ada Example) Tj ET')))).resolves.toBe(
      'Ada Example',
    )
  })

  test('crashes its thread or makes it exit', async () => {
    const reader = new DocumentReader(systemClock, {}, thread('crash', 'throw new Error("a fault")'))
    await expect(reader.read('pdf', bytes)).rejects.toThrow('a fault')
    const silent = new DocumentReader(systemClock, {}, thread('silent', 'process.exit(0)'))
    await expect(silent.read('pdf', bytes)).rejects.toThrow('without a result')
  })
})

describe('concurrent documents', () => {
  const echo = thread('echo', 'setTimeout(() => parentPort.postMessage({ text: workerData.kind }), 20)')

  test('wait for a thread, are all read, and release their threads', async () => {
    const reader = new DocumentReader(systemClock, { threadsMax: 2, waitingMax: 10 }, echo)
    for (let round = 0; round < 2; round++) {
      const texts = await Promise.all(Array.from({ length: 7 }, () => reader.read('pdf', bytes)))
      expect(texts).toEqual(Array(7).fill('pdf'))
    }
  })

  test('are refused when the queue is full, and a failure releases its thread', async () => {
    const reader = new DocumentReader(
      systemClock,
      { threadsMax: 1, waitingMax: 1, readMs: 100 },
      thread('stuck', 'for (;;);'),
    )
    const outcomes = await Promise.allSettled(Array.from({ length: 3 }, () => reader.read('pdf', bytes)))
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.name)).toEqual([
      'Unreadable',
      'Unreadable',
      'ReadersBusy',
    ])
    await expect(reader.read('pdf', bytes)).rejects.toMatchObject(tooMuch)
  })
})
