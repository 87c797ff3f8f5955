import { copyFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { DOCUMENT_BYTES_MAX, DOCUMENT_TEXT_CHARS_MAX } from '../../contracts/limits.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { listProcesses } from '../../platform/postgres/embedded/processTable.ts'
import { docxOfParagraphs, docxOfText, pdfOf, pdfOfNestedForms } from '../../test/support/parties/hostileDocuments.ts'
import { until } from '../../test/support/time/until.ts'
import { DocumentReader, type ReaderLimits } from './documentReader.ts'
import { READER_PRIORITY, ReaderProcess } from './readerProcess.ts'

// The permission model of Node uses real paths.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-readers-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const opened: DocumentReader[] = []
afterEach(async () => {
  for (const reader of opened.splice(0)) await reader.close()
})

function readerOf(limits: Partial<ReaderLimits> = {}, program?: URL): DocumentReader {
  const reader = new DocumentReader(systemClock, limits, program)
  opened.push(reader)
  return reader
}

/** A process that is ready for a document and then behaves as a library might on a hostile file. */
function program(name: string, source: string): URL {
  const path = join(folder, `${name}.mjs`)
  const begin = [
    "import { writeSync } from 'node:fs'",
    "const answer = (result) => { writeSync(3, typeof result === 'string' ? result : JSON.stringify(result)); process.exit() }",
    "writeSync(3, 'ready\\n')",
    "let input = ''",
    "for await (const chunk of process.stdin) input += chunk.toString('latin1')",
    'if (input === "") process.exit()',
  ]
  writeFileSync(path, [...begin, source].join('\n'))
  return pathToFileURL(path)
}

const bytes = Buffer.from('a document')
const ours = { companyId: 'ours' }
/** Longer than any test runs, so that another limit must end the process. */
const LONG = 600_000
const beyondLimits = { name: 'BeyondLimits', message: expect.stringMatching(/within its limits/) }

describe('a document costs only itself if it', () => {
  test('exceeds the time limit: a PDF of nested forms', async () => {
    const reader = readerOf({ readMs: 300 })
    await expect(reader.read('pdf', pdfOfNestedForms(12), ours)).rejects.toMatchObject(beyondLimits)
    const patient = readerOf({ readMs: LONG, cpuMs: LONG })
    await expect(patient.read('pdf', pdfOfNestedForms(2), ours)).resolves.toBe('a'.repeat(100))
  })

  test('takes more CPU time than allowed, long before its time is up', async () => {
    const reader = readerOf({ readMs: LONG, cpuMs: 200 }, program('busy', 'for (;;);'))
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(beyondLimits)
  })

  test('exceeds the heap limit: a DOCX of 40 KB with 400,000 paragraphs', async () => {
    const reader = readerOf({ heapMbMax: 40, readMs: LONG, cpuMs: LONG })
    await expect(reader.read('docx', docxOfParagraphs(400_000), ours)).rejects.toMatchObject(beyondLimits)
  })

  test('exceeds the resident memory: a PDF that unpacks to 100 MiB', async () => {
    const reader = readerOf({ residentBytesMax: 150 * 1024 * 1024, readMs: LONG, cpuMs: LONG })
    const packed = pdfOf(Buffer.alloc(100 * 1024 * 1024, ' '))
    await expect(reader.read('pdf', packed, ours)).rejects.toMatchObject(beyondLimits)
  })

  test.each([
    ['aborts its process', 'process.abort()'],
    ['makes its process exit without a result', 'process.exit(0)'],
    ['makes its process answer nonsense', 'answer(\'{"text":1}\')'],
    ['makes its process answer without end', "for (;;) writeSync(3, 'a'.repeat(65_536))"],
  ])('%s', async (name, source) => {
    const reader = readerOf({ readMs: LONG, cpuMs: LONG }, program(name.replaceAll(' ', '-'), source))
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(beyondLimits)
  })
})

describe.runIf(process.platform === 'linux')('the operating system ends a process that', () => {
  const limits = { heapMbMax: 64, cpuSecondsMax: 20, dataKbMax: 1_536 * 1024 }

  test.each([
    [
      'takes more memory than it may, before its parent sees it',
      'for (const all = []; ; ) all.push(Buffer.alloc(16 * 1024 * 1024))',
      { dataKbMax: 1024 * 1024 },
    ],
    ['takes more CPU time than it may', 'for (;;);', { cpuSecondsMax: 1 }],
  ])('%s', async (name, source, changes) => {
    const child = new ReaderProcess({ ...limits, ...changes }, program(name.replaceAll(' ', '-'), source))
    await child.ready
    await expect(child.read('pdf', bytes)).rejects.toMatchObject(beyondLimits)
  })
})

test('processes that read documents have a low priority', async () => {
  const child = new ReaderProcess({ heapMbMax: 64, cpuSecondsMax: 20, dataKbMax: 1_536 * 1024 })
  await child.ready
  expect(getPriority(child.pid)).toBe(READER_PRIORITY)
  await child.end()
})

describe('the CPU time of a company', () => {
  const tooMuch = { name: 'ReadersBusy', retryAfterMs: expect.any(Number), message: /too much time/ }
  const limits = { readMs: LONG, cpuMs: 100, cpuShare: 0.001 }
  const IDLE = 'setInterval(() => {}, 1_000)'

  test('is used up by unreadable documents, which count several times; those of other companies are read', async () => {
    const reader = readerOf(
      { ...limits, cpuMs: 400, cpuBurstMs: 1_500 },
      program('often-busy', "if (input.length < 9) for (;;); else answer({ text: 'read' })"),
    )
    const hostile = () => reader.read('pdf', Buffer.from('bad'), ours)
    await expect(hostile()).rejects.toMatchObject(beyondLimits)
    await expect(hostile()).rejects.toMatchObject(tooMuch)
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(tooMuch)
    await expect(reader.read('pdf', bytes, { companyId: 'theirs' })).resolves.toBe('read')
  })

  test('is used up even by unreadable documents that take hardly any', async () => {
    const reader = readerOf({ ...limits, cpuBurstMs: 400 }, program('unreadable', "answer({ unreadable: 'damaged' })"))
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject({ name: 'Unreadable' })
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(tooMuch)
  })

  test('is used up by a document that takes too long, however little CPU the machine gave it', async () => {
    const reader = readerOf({ ...limits, readMs: 100, cpuMs: 1_000, cpuBurstMs: 4_000 }, program('idle', IDLE))
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(beyondLimits)
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject(tooMuch)
  })

  test('is used up by documents whose caller disconnects, and waiting ones are not read either', async () => {
    const reader = readerOf({ ...limits, runningPerOwnerMax: 1, cpuBurstMs: 0 }, program('endless-left', 'for (;;);'))
    const leaving = new AbortController()
    const begun = Promise.withResolvers<void>()
    const left = reader.read('pdf', bytes, { ...ours, signal: leaving.signal, onBegin: async () => begun.resolve() })
    const waiting = reader.read('pdf', bytes, ours)
    const outcomes = Promise.allSettled([left, waiting])
    await begun.promise
    leaving.abort()
    expect(await outcomes).toMatchObject([{ reason: { name: 'ReadingCanceled' } }, { reason: tooMuch }])
  })

  test('is hardly touched by documents that are read', async () => {
    const reader = readerOf({ ...limits, cpuBurstMs: 2_000 }, program('quick', "answer({ text: 'read' })"))
    for (let n = 0; n < 5; n++) await expect(reader.read('pdf', bytes, ours)).resolves.toBe('read')
  })
})

test('a fault in the program is not blamed on the document', async () => {
  const faulty = readerOf({}, program('fault', "answer({ fault: 'a fault' })"))
  await expect(faulty.read('pdf', bytes, ours)).rejects.toMatchObject({ name: 'Error', message: /a fault/ })
  const missing = readerOf({}, pathToFileURL(join(folder, 'missing.mjs')))
  await expect(missing.read('pdf', bytes, ours)).rejects.toMatchObject({ name: 'Error', message: /did not start/ })
})

test('documents and texts above their limits are refused', async () => {
  const reader = readerOf()
  const large = Buffer.alloc(DOCUMENT_BYTES_MAX + 1, '%PDF-')
  await expect(reader.read('pdf', large, ours)).rejects.toMatchObject({ name: 'Unreadable', message: /larger than/ })
  const long = docxOfText('a'.repeat(DOCUMENT_TEXT_CHARS_MAX + 1))
  await expect(reader.read('docx', long, ours)).rejects.toMatchObject({ name: 'Unreadable', message: /longer than/ })
})

test('a process that reads documents has no environment, no network, and no access to files or processes', async () => {
  copyFileSync(new URL('./noNetwork.ts', import.meta.url), join(folder, 'noNetwork.ts'))
  const source = `
    await import('./noNetwork.ts')
    const { readFileSync, writeFileSync } = await import('node:fs')
    const { spawn } = await import('node:child_process')
    const { connect } = await import('node:net')
    const tried = (attempt) => { try { return String(attempt()) } catch (error) { return error.code ?? error.message } }
    answer({ text: JSON.stringify({
      environment: Object.keys(process.env).filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)),
      settings: tried(() => readFileSync('${fileURLToPath(new URL('../../README.md', import.meta.url))}')),
      system: tried(() => readFileSync('/etc/passwd')),
      write: tried(() => writeFileSync('${join(folder, 'written')}', 'a')),
      spawn: tried(() => spawn('/bin/true')),
      code: tried(() => new Function('return 1')()),
      network: tried(() => connect(1, '127.0.0.1')),
    }) })`
  expect(JSON.parse(await readerOf({}, program('guarded', source)).read('pdf', bytes, ours))).toEqual({
    environment: [],
    settings: 'ERR_ACCESS_DENIED',
    system: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    spawn: 'ERR_ACCESS_DENIED',
    code: expect.stringMatching(/Code generation from strings disallowed/),
    network: 'a document reader has no network',
  })
})

describe('processes', () => {
  const pids = program('pids', 'answer({ text: String(process.pid) })')
  const running = async () =>
    (await listProcesses()).filter(({ command }) => command.includes(fileURLToPath(pids))).map(({ pid }) => pid)

  test('read one document each; a used one is replaced by one that waits for the next', async () => {
    const reader = readerOf({}, pids)
    expect(await running()).toEqual([])
    const first = Number(await reader.read('pdf', bytes, ours))
    const [waiting] = await until('another process waits', running)
    expect(waiting).not.toBe(first)
    expect(Number(await reader.read('pdf', bytes, ours))).toBe(waiting)
  })

  test('end when no document comes for a while', async () => {
    const reader = readerOf({ idleMs: 50 }, pids)
    await reader.read('pdf', bytes, ours)
    await until('no process waits', async () => (await running()).length === 0)
  })

  test('end when the reader is closed, which then reads no document', async () => {
    const reader = readerOf({}, pids)
    await reader.read('pdf', bytes, ours)
    await reader.close()
    expect(await running()).toEqual([])
    await expect(reader.read('pdf', bytes, ours)).rejects.toMatchObject({ name: 'ReadingCanceled' })
  })
})

describe('a document whose caller leaves', () => {
  const endless = program('endless', 'for (;;);')

  test('is no longer read, and its place is free', async () => {
    const reader = readerOf({ runningMax: 1, readMs: LONG, cpuMs: LONG }, endless)
    const leaving = new AbortController()
    const begun = Promise.withResolvers<void>()
    const onBegin = async () => begun.resolve()
    const left = reader.read('pdf', bytes, { ...ours, signal: leaving.signal, onBegin })
    const waiting = reader.read('pdf', bytes, { companyId: 'theirs', signal: leaving.signal })
    await begun.promise
    leaving.abort()
    const canceled = { status: 'rejected', reason: { name: 'ReadingCanceled' } }
    expect(await Promise.allSettled([left, waiting])).toMatchObject([canceled, canceled])
    const next = Promise.withResolvers<void>()
    const reading = reader.read('pdf', bytes, { ...ours, onBegin: async () => next.resolve() })
    reading.catch(() => {})
    await next.promise
    await reader.close()
    await expect(reading).rejects.toMatchObject({ name: 'ReadingCanceled' })
  })

  test('is not read if it cannot be recorded', async () => {
    const reader = readerOf({ readMs: LONG, cpuMs: LONG }, endless)
    const onBegin = () => Promise.reject(new Error('the database is away'))
    await expect(reader.read('pdf', bytes, { ...ours, onBegin })).rejects.toThrow('the database is away')
  })
})

test('concurrent documents are all read, however many there are', async () => {
  const reader = readerOf({ runningMax: 2, waitingMax: 10 }, program('echo', 'answer({ text: input })'))
  const texts = await Promise.all(Array.from({ length: 5 }, (_, n) => reader.read('pdf', bytes, { companyId: `${n}` })))
  expect(texts).toEqual(Array(5).fill('pdf\na document'))
})
