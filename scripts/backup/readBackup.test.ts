import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deterministicId } from '../../capabilities/commands/eventId.ts'
import type { SavedKey } from '../../capabilities/personalData/personalData.ts'
import type { SavedSaltSecret } from '../../capabilities/transparency/savedSaltSecrets.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { collect } from '../../test/support/events/events.ts'
import { appendMixedHistory } from '../../test/support/events/mixedHistory.ts'
import type { BackupFacts } from './format.ts'
import { readBackup, readSecrets } from './readBackup.ts'
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
  const to = createWriteStream(saved)
  written = await writeBackup({
    store,
    keyPages: keyPages(),
    secretPages: secretPages(),
    to,
    createdAt,
    signal,
    onProgress: () => {},
  })
})
afterAll(() => rm(folder, { recursive: true }))

const KEYS: readonly SavedKey[] = [
  { subject: 'talent-1', key: 'AAECAw==', erasedAt: null },
  { subject: 'talent-2', key: null, erasedAt: '2026-02-01T00:00:00.000Z' },
  { subject: 'user-1', key: '/+8=', erasedAt: null },
]

async function* keyPages() {
  yield KEYS.slice(0, 2)
  yield KEYS.slice(2)
}

const SECRETS: readonly SavedSaltSecret[] = [1, 2, 3].map((n) => ({
  companyId: deterministicId(`company ${n}`),
  secret: Buffer.alloc(32, n).toString('base64'),
  createdAt: '2026-02-01T00:00:00.000Z',
}))

async function* secretPages() {
  yield SECRETS.slice(0, 2)
  yield SECRETS.slice(2)
}

async function readThrough(file: string): Promise<BackupFacts> {
  const lines = readBackup(file)
  for (;;) {
    const next = await lines.next()
    if (next.done) return next.value
  }
}

test('reading an unaltered backup returns the same facts as writing it', async () => {
  expect(written.events).toBeGreaterThan(300)
  expect(await readThrough(saved)).toEqual(written)
})

test('the keys and log secrets of a backup are read as they were saved', async () => {
  expect(written).toMatchObject({ personalKeys: KEYS.length, logSecrets: SECRETS.length })
  const pages = await collect(readSecrets(saved))
  expect(pages.flatMap(({ personalKeys }) => personalKeys)).toEqual(KEYS)
  expect(pages.flatMap(({ logSecrets }) => logSecrets)).toEqual(SECRETS)
})

const whole = () => readFile(saved)
const text = async () => gunzipSync(await whole()).toString()
const changed = async (change: (lines: string[]) => string[]) =>
  gzipSync(`${change((await text()).trimEnd().split('\n')).join('\n')}\n`)

function withEnd(lines: string[], changes: object): string[] {
  const { end } = JSON.parse(lines.at(-1) ?? '')
  return lines.with(-1, JSON.stringify({ end: { ...end, ...changes } }))
}

test.each([
  [1, 'keys', /^\{"(personalKey|logSecret)"/, ['personalKeys', 'logSecrets']],
  [2, 'log secrets', /^\{"logSecret"/, ['logSecrets']],
])('a file of version %i, which had no %s, is read', async (version, _, missingLine, missingCounts) => {
  const file = join(folder, `version${version}.gz`)
  const [header = '', ...lines] = (await text())
    .trimEnd()
    .split('\n')
    .filter((line) => !missingLine.test(line))
  const content = [header.replace('"version":3', `"version":${version}`), ...lines.slice(0, -1), ''].join('\n')
  const { end } = JSON.parse(lines.at(-1) ?? '')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const counts = Object.entries(end).filter(([name]) => !missingCounts.includes(name))
  await writeFile(file, gzipSync(`${content}${JSON.stringify({ end: { ...Object.fromEntries(counts), sha256 } })}\n`))
  const expected = { version, events: written.events, personalKeys: version === 1 ? 0 : KEYS.length, logSecrets: 0 }
  expect(await readThrough(file)).toMatchObject(expected)
})

describe('a damaged backup is refused', () => {
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
    ['a log secret is missing', () => changed((lines) => lines.toSpliced(-2, 1)), /is altered/],
    ['a key is missing', () => changed((lines) => lines.toSpliced(-2 - SECRETS.length, 1)), /is altered/],
    [
      'a log secret is another',
      async () => gzipSync((await text()).replace(SECRETS[1]?.secret ?? '', Buffer.alloc(32).toString('base64'))),
      /is altered/,
    ],
    [
      'a log secret is short',
      async () => gzipSync((await text()).replace(SECRETS[1]?.secret ?? '', 'AAECAw==')),
      /line \d+ is not an event/,
    ],
    ['a key is another', async () => gzipSync((await text()).replace('AAECAw==', 'AAECBA==')), /is altered/],
    [
      'a key is not base64',
      async () => gzipSync((await text()).replace('AAECAw==', '<key>')),
      /line \d+ is not an event/,
    ],
    ['an event stands behind the keys', () => changed((lines) => lines.toSpliced(-1, 0, lines[1] ?? '')), /is damaged/],
    [
      'its end tells of another number of keys',
      () => changed((lines) => withEnd(lines, { personalKeys: 1 })),
      /is altered/,
    ],
    [
      'its end tells of another number of log secrets',
      () => changed((lines) => withEnd(lines, { logSecrets: 1 })),
      /is altered/,
    ],
    ['its end tells of another number', () => changed((lines) => withEnd(lines, { events: 1 })), /is altered/],
    ['its end tells of another position', () => changed((lines) => withEnd(lines, { position: '1' })), /is altered/],
    ['it continues after its end', () => changed((lines) => [...lines, lines[1] ?? '']), /it continues after its end/],
    ['something is added to it', async () => Buffer.concat([await whole(), Buffer.from('more')]), /is damaged/],
    [
      'a line is not an event',
      () => changed((lines) => lines.with(3, '{"stream":"ledger-1"}')),
      /line 4 is not an event/,
    ],
    [
      'a line has no end',
      async () => gzipSync(`${(await text()).split('\n')[0]}\n${'x'.repeat(2 ** 21)}`),
      /is damaged/,
    ],
    ['it is empty', async () => '', /is cut off|is not a backup of Tollgate/],
    ['it is something else', async () => 'PGDMP, not ours', /is not a backup of Tollgate/],
    ['it is something else under gzip', async () => gzipSync('{"some":"thing"}\n'), /is not a backup of Tollgate/],
    [
      'it is of a newer format',
      () => changed(([header = '', ...rest]) => [header.replace('"version":3', '"version":4'), ...rest]),
      /has format version 4, but this program reads up to 3: use a newer program/,
    ],
  ])('%s', async (_, damage, message) => {
    const file = join(folder, 'damaged.gz')
    await writeFile(file, await damage())
    const reading = readThrough(file)
    await expect(reading).rejects.toThrow(message)
    // One line for a person, which names the file.
    await expect(reading).rejects.toMatchObject({ name: 'Error', message: expect.stringMatching(/^.*damaged\.gz .*$/) })
  })

  test('a folder, or nothing at all', async () => {
    await expect(readThrough(folder)).rejects.toThrow(`${folder} cannot be read (EISDIR)`)
    await expect(readThrough(join(folder, 'none'))).rejects.toThrow(`there is no file ${join(folder, 'none')}`)
  })
})
