import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { check } from '../../check/check.mjs'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { tamper } from '../../test/support/databases/tamper.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { charged, failed, granted } from '../../test/support/events/ledgerEvents.ts'
import { KEY } from '../../test/support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../../test/support/transparency/storedTransparencyLog.ts'
import { ReceiptFault, TransparencyLogShorter } from './entryReceipt.ts'
import { transparencyCheck } from './health.ts'
import type { ReadTiles } from './proofs.ts'
import { findEntry, latestCheckpoint, readEntries, readTiles, TransparencyLogIncomplete } from './reader.ts'
import { ReceiptReader } from './receiptReader.ts'
import { TILE_WIDTH, type TileRef } from './tiles.ts'

const [COMPANY, OTHER, SELDOM] = [randomUUID(), randomUUID(), randomUUID()]
/** The entries of the company that has no others. */
const SELDOM_AT = [100, 200]
const [KEY_ID, OTHER_KEY_ID] = [randomUUID(), randomUUID()]
/** Enough for a full tile and one of the second level. */
const EVENTS = 300
const vkeys = [KEY.vkey]
const CHANGE_TILE = 'update ledger_log.tiles set hashes = set_byte(hashes, 500, get_byte(hashes, 500) # 1)'

let harness: PostgresStoreHarness
let transparencyLog: StoredTransparencyLog
let receipts: ReceiptReader
const ids: string[] = []
const notes: string[] = []
const faults: object[] = []
/** What was read while the log grew. */
const early: Record<string, unknown> = {}

/** Appends to the ledgers of the companies in turn. */
async function append(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const company = companyOf(ids.length)
    const call = { keyId: KEY_ID, provider: 'the-secret-provider', costMicros: '7', costCurrency: 'usd' }
    const others = new Map([
      [2, granted(company)],
      [3, failed(company, call)],
    ])
    const { type, data } = others.get(ids.length % 7) ?? charged(company, call)
    const event = anEvent(data, randomUUID(), type)
    ids.push(event.id)
    await harness.store.append(streamName('ledger', company), 'any', [event])
  }
}

const idOf = (index: number) => ids[index] ?? ''
const companyOf = (index: number) => (SELDOM_AT.includes(index) ? SELDOM : index % 3 === 1 ? OTHER : COMPANY)

beforeAll(async () => {
  harness = await PostgresStoreHarness.open()
  transparencyLog = new StoredTransparencyLog(harness.database, harness.store)
  const { database, store } = harness
  const problems = { error: (facts: object) => void faults.push(facts) }
  receipts = new ReceiptReader({ database, store, readTiles: readTiles(database), log: problems as never })
  await append(EVENTS)
  await transparencyLog.seal()
  early.checkpoint = await latestCheckpoint(database)
  early.receipt = await receipts.read(COMPANY, idOf(0))
  notes.push(await transparencyLog.sign())
  await append(10)
  await transparencyLog.seal()
  early.uncovered = await receipts.read(companyOf(EVENTS), idOf(EVENTS))
  notes.push(await transparencyLog.sign())
})
beforeEach(() => {
  faults.length = 0
})
afterAll(() => harness.close())

test('there is no receipt before a checkpoint covers the event', async () => {
  expect(early).toEqual({ checkpoint: null, receipt: null, uncovered: null })
  expect(await latestCheckpoint(harness.database)).toMatchObject({ number: 1, size: EVENTS + 10, note: notes[1] })
  expect(await latestCheckpoint(harness.database, 'another origin')).toBeNull()
})

test('after a restore has started another origin, nothing is covered until that origin signs', async () => {
  await harness.database.query("update ledger_log.progress set origin = 'log.tollgate.test/2'")
  const read = [await latestCheckpoint(harness.database), await receipts.read(COMPANY, idOf(0))]
  await harness.database.query('update ledger_log.progress set origin = null')
  expect(read).toEqual([null, null])
})

describe('the receipt of a sealed event', () => {
  test.for([0, 1, 2, 3, 255, 256, EVENTS - 1, EVENTS + 9])('%i is verified by the checker', async (index) => {
    const receipt = await receipts.read(companyOf(index), idOf(index), { since: EVENTS })
    const result = await check(JSON.stringify(receipt), { vkeys, since: notes[0] ?? '' })
    expect(result.checks.filter(({ ok }) => !ok)).toEqual([])
    expect(result.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['inclusion', 'signature', 'since']))
    expect(JSON.stringify(receipt)).not.toContain('the-secret-provider')
    expect(faults).toEqual([])
  })

  test.for([0, 255, 256, EVENTS + 9])('%i needs no second query for its own tile', async (index) => {
    const { database, store } = harness
    const tilesRead: TileRef[] = []
    const counted: ReadTiles = (tiles) => {
      tilesRead.push(...tiles)
      return readTiles(database)(tiles)
    }
    const reader = new ReceiptReader({ database, store, readTiles: counted, log: {} as never })
    expect(await reader.read(companyOf(index), idOf(index))).not.toBeNull()
    const own = Math.floor(index / TILE_WIDTH)
    expect(tilesRead.filter((tile) => tile.level === 0 && tile.index === own)).toEqual([])
  })

  test.for([0, 12, 255, 256])(
    '%i is the same from a tile that an earlier version has stored without groups',
    async (index) => {
      const { database } = harness
      const read = () => receipts.read(companyOf(index), idOf(index))
      const expected = await read()
      const stored = await database.query<{ level: number; index: string; groups: Buffer }>(
        'select level, index, groups from ledger_log.tiles where groups is not null',
      )
      expect(stored).toMatchObject([{ level: 0, index: '0' }])
      await database.query('update ledger_log.tiles set groups = null')
      const older = await read()
      await database.query('update ledger_log.tiles set groups = $1 where level = 0 and index = 0', [stored[0]?.groups])
      expect(older).toEqual(expected)
    },
  )

  test.for([
    {
      what: 'a changed neighbour',
      change: 'update ledger_log.entries set entry = set_byte(entry, 0, get_byte(entry, 0) # 1) where index = 14',
    },
    {
      what: 'a missing neighbour',
      change: 'update ledger_log.entries set index = index # 1048576 where index in (14, 1048590)',
    },
    {
      what: 'changed groups',
      change: 'update ledger_log.tiles set groups = set_byte(groups, 500, get_byte(groups, 500) # 1)',
    },
    { what: 'a changed tile', change: `${CHANGE_TILE} where level = 0 and index = 0` },
  ])('is the same with $what', async ({ change }) => {
    const expected = await receipts.read(companyOf(12), idOf(12))
    await tamper(harness.database, change)
    const read = await receipts.read(companyOf(12), idOf(12)).catch((error: unknown) => error)
    // Each change is its own inverse.
    await tamper(harness.database, change)
    expect(read).toEqual(expected)
    expect(faults).toEqual([])
  })

  test('has the previous entry of the company, however many others are in between', async () => {
    const [first, second] = SELDOM_AT.map(idOf)
    const before = await findEntry(harness.database, SELDOM, first ?? '')
    expect(await receipts.read(SELDOM, first ?? '')).toMatchObject({ previous: null })
    const previous = Buffer.from(before?.entry ?? []).toString('base64')
    expect(await receipts.read(SELDOM, second ?? '')).toMatchObject({ previous })
  })

  test('has the same place as in the log reader', async () => {
    const entry = await findEntry(harness.database, COMPANY, idOf(3))
    expect(entry).toMatchObject({ index: 3, eventId: idOf(3), companyId: COMPANY, number: 2, revision: 2 })
    expect(await readEntries(harness.database, 3, 1)).toEqual([entry])
  })

  test('is only for the company and for the key that made the call', async () => {
    expect(await receipts.read(OTHER, idOf(0))).toBeNull()
    expect(await receipts.read(COMPANY, randomUUID())).toBeNull()
    expect(await receipts.read(COMPANY, idOf(0), { keyId: OTHER_KEY_ID, since: 10_000 })).toBeNull()
    expect(await receipts.read(COMPANY, idOf(0), { keyId: KEY_ID })).toMatchObject({ event: { id: idOf(0) } })
    // A grant is not a call of any key.
    expect(await receipts.read(COMPANY, idOf(2), { keyId: KEY_ID })).toBeNull()
  })

  test('cannot prove a tree that is larger than the log', async () => {
    await expect(receipts.read(COMPANY, idOf(0), { since: EVENTS + 11 })).rejects.toThrow(TransparencyLogShorter)
  })
})

describe('no receipt is given, and the log and the health endpoint say why,', () => {
  afterEach(() => harness.database.query('update ledger_log.progress set receipt_fault = null'))

  async function faultAfter(change: string, undo: string): Promise<unknown> {
    await tamper(harness.database, change)
    const read = await receipts.read(companyOf(12), idOf(12)).catch((error: unknown) => error)
    await tamper(harness.database, undo)
    return read
  }

  test.for([
    {
      name: 'if the stored event was changed',
      change: `update event_store.events set data = jsonb_set(data::jsonb, '{amountMicros}', '"51"')::text::json where event_id = ID`,
      undo: `update event_store.events set data = jsonb_set(data::jsonb, '{amountMicros}', '"50"')::text::json where event_id = ID`,
      reason: 'is not the one that was logged',
    },
    {
      name: 'if the stored event has another id',
      change: `update event_store.events set event_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff' where event_id = ID`,
      undo: `update event_store.events set event_id = ID where event_id = 'ffffffff-ffff-4fff-8fff-ffffffffffff'`,
      reason: 'no longer has the event',
    },
    {
      name: 'if the entry was changed',
      change: `update ledger_log.entries set entry = set_byte(entry, 0, get_byte(entry, 0) # 1) where event_id = ID`,
      undo: `update ledger_log.entries set entry = set_byte(entry, 0, get_byte(entry, 0) # 1) where event_id = ID`,
      reason: 'is not the one that was logged',
    },
    {
      name: 'if a tile and its groups were changed',
      change: `${CHANGE_TILE}, groups = set_byte(groups, 500, get_byte(groups, 500) # 1) where level = 0 and index = 0`,
      undo: `${CHANGE_TILE}, groups = set_byte(groups, 500, get_byte(groups, 500) # 1) where level = 0 and index = 0`,
      reason: "the log's tree is not the one that was signed",
    },
    {
      name: 'if the secret of the company is missing',
      change: 'update platform.log_secrets set company_id = gen_random_uuid() where company_id = COMPANY',
      undo: 'update platform.log_secrets set company_id = COMPANY where company_id not in (OTHER, SELDOM)',
      reason: "the secret of the company's entries is missing",
    },
  ])('$name', async ({ change, undo, reason }) => {
    const named = (sql: string) =>
      sql
        .replaceAll('ID', `'${idOf(12)}'`)
        .replaceAll('COMPANY', `'${COMPANY}'`)
        .replaceAll('OTHER', `'${OTHER}'`)
        .replaceAll('SELDOM', `'${SELDOM}'`)
    const fault = await faultAfter(named(change), named(undo))
    expect(fault).toBeInstanceOf(ReceiptFault)
    expect(String(fault)).toContain(reason)
    expect(faults).toMatchObject([{ eventId: idOf(12), companyId: COMPANY, index: 12 }])
    const health = await transparencyCheck(harness.database, systemClock)()
    expect(health).toMatchObject({ status: 'degraded', fault_event: idOf(12) })
    expect(health.fault).toContain(reason)
    expect(await receipts.read(companyOf(12), idOf(12))).not.toBeNull()
  })

  test('if a tile is missing', async () => {
    const { database } = harness
    await database.query('update ledger_log.tiles set index = 77 where level = 0 and index = 0')
    await expect(receipts.read(companyOf(12), idOf(12))).rejects.toThrow(TransparencyLogIncomplete)
    await database.query('update ledger_log.tiles set index = 0 where index = 77')
  })
})
