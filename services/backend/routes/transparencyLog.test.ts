import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseCheckpoint } from '../../../capabilities/transparency/checkpoint.ts'
import { leafHash, sha256 } from '../../../capabilities/transparency/hashes.ts'
import { signRotation } from '../../../capabilities/transparency/keyRotation.ts'
import { openNote } from '../../../capabilities/transparency/note.ts'
import { rootAt } from '../../../capabilities/transparency/proofs.ts'
import { splitHashes, tilePath } from '../../../capabilities/transparency/tiles.ts'
import { TransparencyLog } from '../../../capabilities/transparency/transparencyLog.ts'
import { streamName } from '../../../contracts/streams.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { createApp } from '../../../platform/http/createApp.ts'
import { serviceGuards } from '../../../platform/http/guards.ts'
import { type HttpServer, listen } from '../../../platform/http/httpServer.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { type SigningKey, signingKey } from '../../../platform/secrets/noteKeys.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import { charged } from '../../../test/support/events/ledgerEvents.ts'
import { KEY, OLD_KEY, ORIGIN } from '../../../test/support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../../../test/support/transparency/storedTransparencyLog.ts'
import { transparencyLogRoutes } from './transparencyLog.ts'

/** One full tile, one that is not, and one of the second level. */
const [SIGNED, SEALED] = [300, 310]
const COMPANY = randomUUID()

let harness: PostgresStoreHarness
let server: HttpServer
let first: Response
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}/log/${path}`, { headers })

function serve(...keys: SigningKey[]): Promise<HttpServer> {
  const { log } = openLog({ level: 'silent', file: null })
  const { database } = harness
  const config = { sandbox: true, LOG_SIGNING_KEY: keys.map(({ text }) => text).join(',') } as Config
  const routes = transparencyLogRoutes(new TransparencyLog(database), { config, engines: { database }, log })
  const [clock, guards] = [systemClock, serviceGuards('an-internal-token')]
  const handler = createApp({ routes, guards, clock, ids: systemIds, log })
  return listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'BACKEND_PORT', clock })
}

async function append(count: number): Promise<void> {
  const { type, data } = charged(COMPANY)
  for (let left = count; left > 0; left -= 100) {
    const events = Array.from({ length: Math.min(left, 100) }, () => anEvent(data, randomUUID(), type))
    await harness.store.append(streamName('ledger', COMPANY), 'any', events)
  }
}

beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  server = await serve(KEY, OLD_KEY)
  first = await get('checkpoint')
  const stored = new StoredTransparencyLog(harness.database, harness.store)
  await append(SIGNED)
  await stored.seal()
  await stored.sign()
  await append(SEALED - SIGNED)
  await stored.seal()
})
afterAll(async () => {
  await server.drain(100)
  await harness.close()
})

test('404 with retry-after before the first checkpoint', async () => {
  expect(first.status).toBe(404)
  expect(Object.fromEntries(first.headers)).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' })
})

test('200: the tiles lead to the root of the signed checkpoint, and the entries to the tiles', async () => {
  const answer = await get('checkpoint')
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=5',
    'access-control-allow-origin': '*',
  })
  const { size, root } = parseCheckpoint(openNote(await answer.text(), [KEY]))
  expect(size).toBe(SIGNED)
  const bytesOf = async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer())
  const readTiles = (tiles: readonly { level: number; index: number; width: number }[]) =>
    Promise.all(tiles.map((tile) => bytesOf(tilePath(tile))))
  expect(await rootAt(size, readTiles)).toEqual(root)
  for (const [at, width] of ['000', '001.p/44'].entries()) {
    const bundle = await bytesOf(`tile/entries/${width}`)
    const entries = Array.from({ length: bundle.length / 34 }, (_, each) => bundle.slice(each * 34 + 2, each * 34 + 34))
    expect(bundle.slice(0, 2)).toEqual(Uint8Array.of(0, 32))
    const hashes = splitHashes(await bytesOf(`tile/0/${width}`))
    expect(entries.map((entry) => Buffer.from(leafHash(entry)))).toEqual(hashes.map((hash) => Buffer.from(hash)))
    expect(hashes).toHaveLength([256, 44][at] ?? 0)
  }
})

test('200: a tile that is not full is the beginning of the full one, and both may be kept for ever', async () => {
  const [full, partial] = [await get('tile/0/000'), await get('tile/0/000.p/7')]
  const bytes = [await full.arrayBuffer(), await partial.arrayBuffer()] as const
  expect(Buffer.from(bytes[0].slice(0, 7 * 32)).equals(Buffer.from(bytes[1]))).toBe(true)
  for (const { headers } of [full, partial]) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
    })
  }
})

test('304 without a body for what the caller has already', async () => {
  for (const path of ['checkpoint', 'tile/0/000', 'tile/entries/000']) {
    const etag = (await get(path)).headers.get('etag') ?? ''
    const [same, other] = [
      await get(path, { 'if-none-match': `"x", W/${etag}` }),
      await get(path, { 'if-none-match': '"x"' }),
    ]
    expect([same.status, await same.text(), same.headers.get('etag'), other.status]).toEqual([304, '', etag, 200])
  }
})

test('200: the replaced key after the current one, with the note that both signed', async () => {
  const rotation = { origin: ORIGIN, size: SIGNED, rotatedAt: '2026-03-01T10:00:00.000Z' }
  const { oldVkey, newVkey, note } = signRotation(rotation, { from: OLD_KEY, to: KEY })
  const insert = 'insert into ledger_log.key_rotations values (1, $1, $2, $3, $4, $5, $6)'
  await harness.database.query(insert, [ORIGIN, SIGNED, oldVkey, newVkey, note, rotation.rotatedAt])
  const text = await (await get('vkey')).text()
  await harness.database.query('delete from ledger_log.key_rotations')
  expect(text).toBe(`${KEY.vkey}\n${OLD_KEY.vkey}\n\n${note}`)
  expect(note).toContain(`\nold ${OLD_KEY.vkey}\nnew ${KEY.vkey}\nsize ${SIGNED}\n`)
})

test('200: the verifier keys, the newest first', async () => {
  const answer = await get('vkey')
  expect([answer.status, await answer.text()]).toEqual([200, `${KEY.vkey}\n${OLD_KEY.vkey}\n`])
})

test.for([
  ['404 for the key of another log', sha256('another'), 404, 'is not the key that signed its log'],
  ['200: its own key with its own name', sha256('the key of the sample log'), 200, `${KEY.vkey}\n`],
] as const)('%s, if the settings have the name of another origin', async ([, seed, status, text]) => {
  const other = await serve(signingKey('another.example', seed))
  const answer = await fetch(`${other.url}/log/vkey`)
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)])
  await other.drain(100)
})

test.for([
  'tile/0/001', // is not full
  'tile/0/001.p/45', // is sealed, and not signed yet
  'tile/entries/001.p/45',
  'tile/0/002.p/1',
  'tile/1/000',
  'tile/1/000.p/2',
  'tile/2/000.p/1',
  'tile/0/x999/x999/x999/x999/x999/x999/999',
  'tile/0/000.p/256',
  'tile/0/000.p/0',
  'tile/00/000',
  'tile/0/0',
  'tile/0/000/',
  'tile/0//000',
  'tile/data/000',
  'tile/../checkpoint2',
])('404 that no cache keeps for %s', async (path) => {
  const answer = await get(path)
  expect(answer.status).toBe(404)
  if (path.startsWith('tile/0')) expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('503 with retry-after for a tile that is signed and missing', async () => {
  await harness.database.query('update ledger_log.tiles set index = 99 where level = 0 and index = 1')
  const answer = await get('tile/0/001.p/43')
  await harness.database.query('update ledger_log.tiles set index = 1 where level = 0 and index = 99')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
  expect((await get('tile/0/001.p/43')).status).toBe(200)
})
