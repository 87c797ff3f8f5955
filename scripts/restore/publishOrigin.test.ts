import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkpointText } from '../../capabilities/transparency/checkpoint.ts'
import { GrowingTree } from '../../capabilities/transparency/growingTree.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import { rootAt } from '../../capabilities/transparency/proofs.ts'
import { latestCheckpoint, readTiles } from '../../capabilities/transparency/reader.ts'
import { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import { SEALED_CATEGORIES, TransparencyBuilder } from '../../capabilities/transparency/sealing/builder.ts'
import { beginSealing, SEALED_SCHEMA, writeAddition } from '../../capabilities/transparency/sealing/tables.ts'
import { currentKeys, currentOrigin } from '../../capabilities/transparency/signingKeys.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { CHECKPOINTS_STREAM, streamName } from '../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import {
  chargeOf,
  ORIGIN,
  SealedTransparencyLog,
  testSigningKeys,
} from '../../test/support/transparency/sealedTransparencyLog.ts'
import { resetFeed } from './resetFeed.ts'
import { publishOrigin } from './restoreInstallation.ts'

const [EARLIER, RESTORED] = [`${ORIGIN}/r20260101000000`, `${ORIGIN}/r20260201000000`]
const company = randomUUID()
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

const appendToCheckpoints = (type: string, data: Record<string, unknown>) =>
  transparencyLog.store.append(CHECKPOINTS_STREAM, 'any', [anEvent(data as never, randomUUID(), type)])

/** A store after a restore: two published origins, and the one that the restore started. */
async function restoredStore(): Promise<string> {
  const at = '2026-02-01T00:00:00.000Z'
  const charge = chargeOf(company)
  await transparencyLog.store.append(streamName('ledger', company), 'any', [charge])
  transparencyLog.start()
  await transparencyLog.signed(1)
  await transparencyLog.stop()
  const [signed] = await transparencyLog.checkpoints()
  const root = Buffer.from(await rootAt(1, readTiles(transparencyLog.database)))
  const note = signNote(checkpointText({ origin: EARLIER, size: 1, root }), testSigningKeys.of(EARLIER))
  await appendToCheckpoints('LogOriginStarted', { origin: EARLIER, reason: 'restored', size: 1, startedAt: at })
  await appendToCheckpoints('CheckpointSigned', { ...signed?.data, origin: EARLIER, note })
  await appendToCheckpoints('LogOriginStarted', { origin: RESTORED, reason: 'restored', size: 1, startedAt: at })
  await resetFeed(transparencyLog.database)
  await publishOrigin(transparencyLog.database, RESTORED, 3)
  return charge.id
}

function receiptReader(): ReceiptReader {
  const { database, store } = transparencyLog
  return new ReceiptReader({ database, store, readTiles: readTiles(database), log: { error: () => {} } as never })
}

test('while the restored events are sealed again, no key, checkpoint or receipt of another origin is served', async () => {
  const eventId = await restoredStore()
  const { database, store } = transparencyLog
  const receipts = receiptReader()
  const served = async () => ({
    origin: await currentOrigin(database, testSigningKeys),
    vkeys: (await currentKeys(database, testSigningKeys)).vkeys,
    checkpoint: await latestCheckpoint(database),
    receipt: await receipts.read(company, eventId),
  })
  const own = { origin: RESTORED, vkeys: [testSigningKeys.of(RESTORED)[0].vkey], checkpoint: null, receipt: null }
  expect(await served()).toEqual(own)

  const epoch = 1_000
  const { generation } = await beginSealing(database, epoch)
  const tree = new GrowingTree()
  const builder = new TransparencyBuilder({ schema: SEALED_SCHEMA, tree, idsAreUnique: true, createsSecrets: true })
  let position = BEGINNING
  for (;;) {
    const page = await store.readAll({ after: position, categories: SEALED_CATEGORIES, limit: 1 })
    if (page.position === position) break
    const addition = await builder.add(database, page, position, false)
    await writeAddition(database, { epoch, generation }, addition, { size: tree.size, root: tree.root() })
    position = page.position
    expect(await served()).toEqual(own)
  }
  expect(tree.size).toBe(1)
})

test('the sealer then signs for the origin that the restore started, and the receipt is of it', async () => {
  const eventId = await restoredStore()
  transparencyLog.start()
  await transparencyLog.signed(1, RESTORED)
  const { database } = transparencyLog
  const receipts = receiptReader()
  expect((await receipts.read(company, eventId))?.proof).toContain(`\n\n${RESTORED}\n1\n`)
  expect((await latestCheckpoint(database))?.origin).toBe(RESTORED)
})
