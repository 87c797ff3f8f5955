import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNote } from '../../capabilities/transparency/note.ts'
import { latestCheckpoint } from '../../capabilities/transparency/reader.ts'
import { readProgress } from '../../capabilities/transparency/sealing/tables.ts'
import { currentKeys, type SigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { CHECKPOINTS_STREAM } from '../../contracts/streams.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { parseVerifierKey, signingKey } from '../../platform/secrets/noteKeys.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { ORIGIN, SealedTransparencyLog } from '../../test/support/transparency/sealedTransparencyLog.ts'
import { appendOrigin } from './transparencyOrigin.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
})
afterEach(async () => {
  await transparencyLog.stop()
  await harness.close()
})

const keysOf = (byte: number): SigningKeys => ({
  origin: ORIGIN,
  of: (origin) => [signingKey(origin, Buffer.alloc(32, byte))],
})

test('a log whose key is lost continues under a new origin, while its sealer runs', async () => {
  const { database, store, clock } = transparencyLog
  await transparencyLog.charge(randomUUID(), 3)
  transparencyLog.keys = keysOf(1)
  transparencyLog.start()
  await transparencyLog.until('the first checkpoint', () => latestCheckpoint(database))
  await transparencyLog.stop()
  transparencyLog.keys = keysOf(2)
  transparencyLog.start()
  await transparencyLog.until('the fault of the key', async () => (await readProgress(database)).keyFault)

  const work = { keys: keysOf(2), clock, ids: systemIds }
  const origin = await appendOrigin({ database, storeAsWritten: store }, work, 'the key is lost')
  expect(origin).toMatch(/^log\.example\/r\d{14}$/)
  const checkpoint = await transparencyLog.until('a checkpoint of the new origin', async () => {
    const latest = await latestCheckpoint(database)
    return latest?.origin === origin && latest
  })
  const { vkey } = keysOf(2).of(origin)[0]
  expect(openNote(checkpoint.note, [parseVerifierKey(vkey)])).toContain(origin)
  expect((await currentKeys(database, keysOf(2))).vkeys).toEqual([vkey])
  expect((await readProgress(database)).keyFault).toBeNull()
})

test('no checkpoint of the old origin follows the new one, although the sealer has not read it yet', async () => {
  const { database, store, clock, keys } = transparencyLog
  await transparencyLog.charge(randomUUID(), 3)
  let starting: Promise<string> | null = null
  // Just before the sealer looks for the last event, after which it signs.
  const readStream: typeof store.readStream = async function* (stream, options) {
    if (stream === CHECKPOINTS_STREAM) {
      starting ??= appendOrigin({ database, storeAsWritten: store }, { keys, clock, ids: systemIds }, 'a test')
      await starting
    }
    yield* store.readStream(stream, options)
  }
  const raced = new Proxy(store, {
    get: (target, name) => {
      const value = name === 'readStream' ? readStream : Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  transparencyLog.start(raced)
  await transparencyLog.until('a checkpoint', () => latestCheckpoint(database))
  const origin = await starting
  const events = (await transparencyLog.checkpoints()).map(({ type, data }) => [type, data.origin])
  expect(events).toEqual([
    ['LogOriginStarted', origin],
    ['CheckpointSigned', origin],
  ])
})
