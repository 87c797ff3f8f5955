import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { check } from '../../check/check.mjs'
import { COMMON_LEDGER_ID, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { tamper } from '../../test/support/databases/tamper.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { anchored, charged, failed } from '../../test/support/events/ledgerEvents.ts'
import { KEY } from '../../test/support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../../test/support/transparency/storedTransparencyLog.ts'
import { anchorEventId } from '../ledger/ledgerWriter.ts'
import { ReceiptFault } from './entryReceipt.ts'
import { readTiles } from './reader.ts'
import { type Receipt, ReceiptReader } from './receiptReader.ts'

const [COMPANY, OTHER] = [randomUUID(), randomUUID()]
const ANCHOR = anchorEventId(charged(COMPANY).data.price.bookId)

let harness: PostgresStoreHarness
let transparencyLog: StoredTransparencyLog
let receipts: ReceiptReader
beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new StoredTransparencyLog(harness.database, harness.store)
  receipts = reader()
})
afterEach(() => harness.close())

/** As of a process that has just started. */
function reader(): ReceiptReader {
  const { database, store } = harness
  return new ReceiptReader({ database, store, readTiles: readTiles(database), log: { error: () => {} } as never })
}

/** Stores the event and, if it is to be covered, signs a checkpoint. Returns its id. */
async function store(event: LedgerEvent, id: string = randomUUID()): Promise<string> {
  await harness.store.append(streamName('ledger', event.data.companyId), 'any', [anEventOf(event, id)])
  return id
}
async function sign(): Promise<string> {
  await transparencyLog.seal()
  return transparencyLog.sign()
}

async function verified(receipt: Receipt | null, since?: string): Promise<Receipt> {
  const { checks } = await check(JSON.stringify(receipt), { vkeys: [KEY.vkey], ...(since && { since }) })
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
  expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['price', 'inclusion', 'signature']))
  return receipt as Receipt
}

describe('the receipt of a charge', () => {
  test.for([
    ['all companies', null, COMMON_LEDGER_ID],
    ['the company', COMPANY, COMPANY],
  ] as const)('has its price book of %s, proven in the same tree', async ([, owner, ledger]) => {
    await store(anchored(owner), ANCHOR)
    const older = await sign()
    const callId = await store(charged(COMPANY))
    await sign()
    const receipt = await verified(await receipts.read(COMPANY, callId, { since: 1 }), older)
    expect(receipt.book?.event).toMatchObject({ stream: `ledger-${ledger}`, id: ANCHOR, type: 'PriceBookAnchored' })
    expect(receipt.book?.proof).not.toContain('extra ')
  })

  test('has it also if the book was anchored after the charge, once a checkpoint covers it', async () => {
    const callId = await store(charged(COMPANY))
    await sign()
    expect(await verified(await receipts.read(COMPANY, callId))).toMatchObject({ version: 2, book: null })
    await store(anchored(null), ANCHOR)
    await transparencyLog.seal()
    // A reader that has not asked for the book before.
    expect(await reader().read(COMPANY, callId)).toMatchObject({ book: null })
    await transparencyLog.sign()
    expect(await verified(await receipts.read(COMPANY, callId))).toMatchObject({ book: { event: { id: ANCHOR } } })
  })

  test('never has the book of another company', async () => {
    await store(anchored(OTHER), ANCHOR)
    const callId = await store(charged(COMPANY))
    await sign()
    expect(await receipts.read(COMPANY, callId)).toMatchObject({ book: null })
  })

  test('has no further queries for a book that was read in the same tree, and a proof in the new one later', async () => {
    await store(anchored(null), ANCHOR)
    const ids = [await store(charged(COMPANY)), await store(charged(COMPANY))]
    await sign()
    const first = await verified(await receipts.read(COMPANY, ids[0] ?? ''))
    const asked: string[] = []
    const readStream = harness.store.readStream.bind(harness.store)
    harness.store.readStream = (stream, options) => {
      asked.push(stream)
      return readStream(stream, options)
    }
    const second = await verified(await receipts.read(COMPANY, ids[1] ?? ''))
    expect(asked).toEqual([streamName('ledger', COMPANY)])
    expect(second.book).toEqual(first.book)
    const later = await store(charged(COMPANY))
    await sign()
    const third = await verified(await receipts.read(COMPANY, later))
    expect(third.book?.proof).not.toBe(first.book?.proof)
  })

  test('is not given out if the stored book is not the one that was logged', async () => {
    await store(anchored(null), ANCHOR)
    const callId = await store(charged(COMPANY))
    await sign()
    const change = `update event_store.events set data = jsonb_set(data::jsonb, '{retired}', '["svc/chat-old"]')::text::json
      where event_id = '${ANCHOR}'`
    await tamper(harness.database, change)
    const fault = await receipts.read(COMPANY, callId).catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(ReceiptFault)
    expect(fault).toMatchObject({ eventId: ANCHOR, reason: 'the event in the store is not the one that was logged' })
    const [row] = await harness.database.query<{ receiptFault: string }>(
      'select receipt_fault from ledger_log.progress',
    )
    expect(row?.receiptFault).toContain(ANCHOR)
    // The entry of the charge itself is right.
    expect(await receipts.readEntry(COMPANY, callId)).toMatchObject({ event: { id: callId } })
  })
})

test('the receipts of other events have no price book, and neither has that of an entry', async () => {
  await store(anchored(null), ANCHOR)
  const [callId, failedId] = [await store(charged(COMPANY)), await store(failed(COMPANY))]
  await sign()
  expect(await receipts.read(COMPANY, failedId)).toMatchObject({ version: 2, book: null })
  expect(await receipts.readEntry(COMPANY, callId)).not.toHaveProperty('book')
  const anchor = await receipts.read(COMMON_LEDGER_ID, ANCHOR)
  expect(anchor).toMatchObject({ event: { type: 'PriceBookAnchored', number: 0 }, previous: null, book: null })
})
