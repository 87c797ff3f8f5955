import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MemoryEventStore } from '../../test/support/memoryEventStore.ts'
import { appendMixedHistory } from '../../test/support/mixedHistory.ts'
import type { BackupFacts } from './format.ts'
import { readBackup } from './readBackup.ts'
import { writeBackup } from './writeBackup.ts'

let folder: string
let saved: string
let written: BackupFacts

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-backup-'))
  saved = join(folder, 'saved.gz')
  const store = new MemoryEventStore()
  await appendMixedHistory(store)
  const createdAt = '2026-03-01T00:00:00.000Z'
  const { signal } = new AbortController()
  written = await writeBackup({ store, to: createWriteStream(saved), createdAt, signal, onProgress: () => {} })
})
afterAll(() => rm(folder, { recursive: true }))

async function readThrough(file: string): Promise<BackupFacts> {
  const lines = readBackup(file)
  for (;;) {
    const next = await lines.next()
    if (next.done) return next.value
  }
}

test('a file that is as it was written tells the same of itself', async () => {
  expect(written.events).toBeGreaterThan(300)
  expect(await readThrough(saved)).toEqual(written)
})

const whole = () => readFile(saved)
const text = async () => gunzipSync(await whole()).toString()
const changed = async (change: (lines: string[]) => string[]) =>
  gzipSync(`${change((await text()).trimEnd().split('\n')).join('\n')}\n`)

function withEnd(lines: string[], changes: object): string[] {
  const { end } = JSON.parse(lines.at(-1) ?? '')
  return lines.with(-1, JSON.stringify({ end: { ...end, ...changes } }))
}

describe('a file that is not is refused', () => {
  test.each<[string, () => Promise<Buffer | string>, RegExp]>([
    ['the last byte is missing', async () => (await whole()).subarray(0, -1), /is cut off: its end is missing/],
    ['half of it is missing', async () => (await whole()).subarray(0, 2_000), /is cut off: its end is missing/],
    ['its last line is missing', () => changed((lines) => lines.slice(0, -1)), /is cut off: its end is missing/],
    ['its last line is not whole', async () => gzipSync((await text()).slice(0, -9)), /is cut off: its end is missing/],
    [
      'a bit is flipped',
      async () => {
        const bytes = await whole()
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
        return bytes
      },
      /is damaged|is altered|is cut off/,
    ],
    ['an amount is changed', async () => gzipSync((await text()).replace('"1000000"', '"9000000"')), /is altered: /],
    ['an event is missing', () => changed((lines) => lines.toSpliced(5, 1)), /is altered: it has \d+ events/],
    [
      'two events are exchanged',
      () => changed(([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]),
      /is altered/,
    ],
    ['its end tells of another number', () => changed((lines) => withEnd(lines, { events: 1 })), /is altered/],
    ['its end tells of another position', () => changed((lines) => withEnd(lines, { position: '1' })), /is altered/],
    ['it goes on behind its end', () => changed((lines) => [...lines, lines[1] ?? '']), /it goes on behind its end/],
    ['something is added to it', async () => Buffer.concat([await whole(), Buffer.from('more')]), /is damaged/],
    ['a line is no event', () => changed((lines) => lines.with(3, '{"stream":"ledger-1"}')), /line 4 is no event/],
    [
      'a line has no end',
      async () => gzipSync(`${(await text()).split('\n')[0]}\n${'x'.repeat(2 ** 21)}`),
      /is damaged/,
    ],
    ['it is empty', async () => '', /is cut off|is no backup of Tollgate/],
    ['it is something else', async () => 'PGDMP, not ours', /is no backup of Tollgate/],
    ['it is something else under gzip', async () => gzipSync('{"some":"thing"}\n'), /is no backup of Tollgate/],
    [
      'it is of a newer format',
      () => changed(([header = '', ...rest]) => [header.replace('"version":1', '"version":2'), ...rest]),
      /is of format version 2, this program reads 1: use a newer one/,
    ],
  ])('%s', async (_, damage, message) => {
    const file = join(folder, 'damaged.gz')
    await writeFile(file, await damage())
    const reading = readThrough(file)
    await expect(reading).rejects.toThrow(message)
    // One line for a person, which names the file.
    await expect(reading).rejects.toMatchObject({ name: 'Error', message: expect.stringMatching(/^.*damaged\.gz .*$/) })
  })

  test('wherever a byte of it is changed, or it ends', async () => {
    const bytes = await whole()
    const file = join(folder, 'damaged.gz')
    // The header of gzip holds nothing that matters: a time, and the system it was made on.
    for (let at = 10; at < bytes.length; at += 97) {
      const spoiled = Buffer.from(bytes)
      spoiled[at] = (spoiled[at] ?? 0) ^ 0x10
      await writeFile(file, spoiled)
      await expect(readThrough(file)).rejects.toThrow(/is (damaged|altered|cut off|no backup)/)
      await writeFile(file, bytes.subarray(0, at))
      await expect(readThrough(file)).rejects.toThrow(/is cut off/)
    }
  }, 60_000)

  test('a folder, or nothing at all', async () => {
    await expect(readThrough(folder)).rejects.toThrow(`${folder} cannot be read (EISDIR)`)
    await expect(readThrough(join(folder, 'none'))).rejects.toThrow(`there is no file ${join(folder, 'none')}`)
  })
})
