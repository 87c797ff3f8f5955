import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkpointText } from '../../capabilities/transparency/checkpoint.ts'
import { GrowingTree } from '../../capabilities/transparency/growingTree.ts'
import { currentKeys, currentOrigin } from '../../capabilities/transparency/logKeys.ts'
import { latestCheckpoint, readTiles } from '../../capabilities/transparency/logReader.ts'
import { signNote } from '../../capabilities/transparency/note.ts'
import { rootAt } from '../../capabilities/transparency/proofs.ts'
import { ReceiptReader } from '../../capabilities/transparency/receiptReader.ts'
import { LogBuilder, SEALED_CATEGORIES } from '../../capabilities/transparency/sealing/logBuilder.ts'
import { beginSealing, LIVE_LOG, writeAddition } from '../../capabilities/transparency/sealing/logTables.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { LOG_STREAM, streamName } from '../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { chargeOf, ORIGIN, SealedLog, testLogKeys } from '../../test/support/transparency/sealedLog.ts'
import { publishOrigin } from './publishOrigin.ts'
import { resetFeed } from './resetFeed.ts'

const [EARLIER, RESTORED] = [`${ORIGIN}/r20260101000000`, `${ORIGIN}/r20260201000000`]
const company = randomUUID()
let harness: PostgresStoreHarness
let log: SealedLog
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  log = new SealedLog(harness.database, harness.store)
})
afterEach(async () => {
  await log.stop()
  await harness.close()
})

const appendToLog = (type: string, data: Record<string, unknown>) =>
  log.store.append(LOG_STREAM, 'any', [anEvent(data as never, randomUUID(), type)])

/** A store as it is after a restore: two origins that were published, and the one that the restore started. */
async function restoredStore(): Promise<string> {
  const at = '2026-02-01T00:00:00.000Z'
  const charge = chargeOf(company)
  await log.store.append(streamName('ledger', company), 'any', [charge])
  log.start()
  await log.signed(1)
  await log.stop()
  const [signed] = await log.checkpoints()
  const root = Buffer.from(await rootAt(1, readTiles(log.database)))
  const note = signNote(checkpointText({ origin: EARLIER, size: 1, root }), testLogKeys.of(EARLIER))
  await appendToLog('LogOriginStarted', { origin: EARLIER, reason: 'restored', size: 1, startedAt: at })
  await appendToLog('CheckpointSigned', { ...signed?.data, origin: EARLIER, note })
  await appendToLog('LogOriginStarted', { origin: RESTORED, reason: 'restored', size: 1, startedAt: at })
  await resetFeed(log.database)
  await publishOrigin(log.database, RESTORED, 3)
  return charge.id
}

function receiptReader(): ReceiptReader {
  const { database, store } = log
  return new ReceiptReader({ database, store, readTiles: readTiles(database), log: { error: () => {} } as never })
}

test('while the restored events are sealed again, no key, checkpoint or receipt of another origin is served', async () => {
  const eventId = await restoredStore()
  const { database, store } = log
  const receipts = receiptReader()
  const served = async () => ({
    origin: await currentOrigin(database, testLogKeys),
    vkeys: (await currentKeys(database, testLogKeys)).vkeys,
    checkpoint: await latestCheckpoint(database),
    receipt: await receipts.read(company, eventId),
  })
  const own = { origin: RESTORED, vkeys: [testLogKeys.of(RESTORED)[0].vkey], checkpoint: null, receipt: null }
  expect(await served()).toEqual(own)

  const epoch = 1_000
  const { generation } = await beginSealing(database, epoch)
  const tree = new GrowingTree()
  const builder = new LogBuilder({ schema: LIVE_LOG, tree, idsAreUnique: true, createsSecrets: true })
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
  log.start()
  await log.signed(1, RESTORED)
  const { database } = log
  const receipts = receiptReader()
  expect((await receipts.read(company, eventId))?.proof).toContain(`\n\n${RESTORED}\n1\n`)
  expect((await latestCheckpoint(database))?.origin).toBe(RESTORED)
})
