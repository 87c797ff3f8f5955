import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNote } from '../../capabilities/transparency/note.ts'
import { latestCheckpoint } from '../../capabilities/transparency/reader.ts'
import { readProgress } from '../../capabilities/transparency/sealing/tables.ts'
import { currentKeys, type SigningKeys } from '../../capabilities/transparency/signingKeys.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { parseVerifierKey, signingKey } from '../../platform/secrets/noteKeys.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { ORIGIN, SealedTransparencyLog } from '../../test/support/transparency/sealedTransparencyLog.ts'
import { appendOrigin } from './transparencyOrigin.ts'

let harness: PostgresStoreHarness
let transparencyLog: SealedTransparencyLog
beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new SealedTransparencyLog(harness.database, harness.store)
})
afterAll(async () => {
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
