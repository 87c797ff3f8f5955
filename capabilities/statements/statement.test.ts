import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, Malformed } from '../../check/check.mjs'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Engines } from '../../platform/engines.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { signingKey } from '../../platform/secrets/noteKeys.ts'
import { ledgerBlocks } from '../../projections/ledgerBlocks/projection.ts'
import { ledgerParts } from '../../projections/ledgerParts/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { collect } from '../../test/support/events/events.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import {
  adjusted,
  anchored,
  charged,
  failed,
  granted,
  invoiceSettled,
  monthBilled,
  monthClosed,
  refunded,
  reversed,
} from '../../test/support/events/ledgerEvents.ts'
import { KEY, OLD_KEY, ORIGIN } from '../../test/support/transparency/sampleTransparencyLog.ts'
import { StoredTransparencyLog } from '../../test/support/transparency/storedTransparencyLog.ts'
import { canonicalJson } from '../transparency/canonicalJson.ts'
import { sha256 } from '../transparency/hashes.ts'
import { signRotation } from '../transparency/keyRotation.ts'
import { signNote } from '../transparency/note.ts'
import { readTiles } from '../transparency/reader.ts'
import { ReceiptReader } from '../transparency/receiptReader.ts'
import { countedOnce } from './countedOnce.ts'
import type { Statement } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { withErrorLine } from './statementError.ts'
import { openStatementFile } from './statementFile.ts'
import { requireFormat } from './statementFormat.ts'
import { statementJson } from './statementJson.ts'
import { PAGE_LINES } from './statementLines.ts'
import { statementPdf } from './statementPdf.ts'
import { proveStatement } from './statementProof.ts'
import { statementRange } from './statementRange.ts'
import { Statements } from './statements.ts'

const [COMPANY, OTHER] = [randomUUID(), randomUUID()]
const [FROM, TO] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z']
const MADE_AT = '2026-05-01T12:00:00.123Z'
const options = { vkeys: [KEY.vkey] }
let models: ReadModels
let transparencyLog: StoredTransparencyLog
let engines: Pick<Engines, 'database' | 'store' | 'storeAsWritten'>

async function append(companyId: string, time: string, ...events: LedgerEvent[]): Promise<void> {
  const stored = events.map((event) => {
    const { metadata, ...rest } = anEventOf(event)
    return { ...rest, metadata: { ...metadata, recordedAt: time } }
  })
  await models.store.append(streamName('ledger', companyId), 'any', stored)
}

async function aStatement(companyId = COMPANY, [from, to] = [FROM, TO]): Promise<Statement> {
  const { database, storeAsWritten: store } = engines
  const receipts = new ReceiptReader({
    database,
    store,
    readTiles: readTiles(database),
    log: { error: () => {} } as never,
  })
  const range = await statementRange(engines, { companyId, from, to })
  const proof = await proveStatement({ database, clock: systemClock, receipts }, range, 0)
  return { engines, range, proof, madeAt: MADE_AT, sign: (text) => signNote(text, [KEY]) }
}
const textOf = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await collect(chunks)).toString()
const json = async (...args: Parameters<typeof aStatement>) => textOf(statementJson(await aStatement(...args)))
const csv = async (...args: Parameters<typeof aStatement>) => textOf(statementCsv(await aStatement(...args)))
const failures = async (text: string) => {
  const { checks } = await check(text, options)
  return checks.filter(({ ok }) => !ok).map(({ name }) => name)
}
const detailOf = async (text: string, name: string) =>
  (await check(text, options)).checks.find((done) => done.name === name)?.detail ?? ''

const hostile = '=HYPERLINK("http://x.test","a, b")\r\nNOTE,x'

beforeAll(async () => {
  models = await ReadModels.open()
  const storeAsWritten = new PostgresEventStore(models.database, systemClock)
  engines = { database: models.database, store: models.store, storeAsWritten }
  transparencyLog = new StoredTransparencyLog(models.database, models.store)
  const call = charged(COMPANY, { label: 'team a', provider: 'a-secret', costMicros: '7', costCurrency: 'usd' })
  await append(COMPANY, '2026-02-10T00:00:00.000Z', granted(COMPANY, { amountMicros: '5000000' }), charged(COMPANY))
  await append(COMPANY, '2026-03-01T00:00:00.000Z', call, charged(COMPANY), failed(COMPANY), reversed(call))
  await append(OTHER, '2026-03-02T00:00:00.000Z', granted(OTHER), charged(OTHER), charged(OTHER))
  await append(
    COMPANY,
    '2026-03-31T23:59:59.999Z',
    ...[refunded(COMPANY), adjusted(COMPANY, { reason: hostile }), monthClosed(COMPANY), monthBilled(COMPANY)],
    ...[invoiceSettled(COMPANY), anchored(COMPANY), charged(COMPANY, { amountMicros: '50' })],
  )
  await append(COMPANY, '2026-04-01T00:00:00.000Z', charged(COMPANY), granted(COMPANY))
  await models.rebuild(ledgerBlocks)
  await models.rebuild(ledgerParts)
  await transparencyLog.seal()
  await transparencyLog.sign()
})
afterAll(async () => {
  await engines.storeAsWritten.close()
  await models.close()
})

describe('a statement is verified', () => {
  test.for([
    ['JSON', json],
    ['CSV', csv],
  ] as const)('as %s, with what is in the range and its balances', async ([, make]) => {
    const text = await make()
    expect(await failures(text)).toEqual([])
    expect(await check(text, options)).toMatchObject({
      kind: 'statement',
      statement: { companyId: COMPANY, first: 2, count: 11, opening: '4999950', closing: '9999350' },
    })
    expect(text).not.toMatch(/a-secret|costMicros/)
  })

  test('over the whole ledger, and without entries', async () => {
    for (const make of [json, csv]) {
      expect(await failures(await make(COMPANY, ['1970-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']))).toEqual([])
      expect(await failures(await make(COMPANY, ['2026-02-11T00:00:00.000Z', '2026-02-12T00:00:00.000Z']))).toEqual([])
      expect(await failures(await make(randomUUID()))).toEqual([])
    }
  })

  test('and joins the next one: its last entry is the one before the first of the next', async () => {
    const before = JSON.parse(await json())
    const after = JSON.parse(await json(COMPANY, [TO, '2030-01-01T00:00:00.000Z']))
    expect(after).toMatchObject({ first: 13, count: 2, openingMicros: before.closingMicros, previous: before.last })
  })

  test('but not while the log lacks its last entry', async () => {
    const company = randomUUID()
    await append(company, FROM, granted(company), charged(company))
    await transparencyLog.seal()
    await transparencyLog.sign()
    await append(company, FROM, charged(company))
    expect(await failures(await json(company))).toEqual(['chain', 'inclusion'])
    expect(await detailOf(await json(company), 'inclusion')).toContain('only entries up to 1')
    expect(await failures(await csv(company))).toEqual(['inclusion'])
    await transparencyLog.seal()
    await transparencyLog.sign()
    expect(await failures(await json(company))).toEqual([])
  })
})

describe('a statement of version 1, which does not say when it was made', () => {
  const older = (note: string, changes: (text: string) => string = (text) => text) => {
    const text = note.slice(0, note.indexOf('\n\n') + 1)
    return signNote(changes(text.replace('/v2\n', '/v1\n').replace(/^made .*\n/m, '')), [KEY])
  }

  test('is verified as JSON', async () => {
    const { madeAt, entries, proof, note, ...rest } = JSON.parse(await json())
    expect(madeAt).toBe(MADE_AT)
    const head = { ...rest, statement: 'tollgate/statement/v1' }
    const hash = Buffer.from(sha256(canonicalJson(head))).toString('base64')
    const signed = older(note, (text) => text.replace(/^json .*$/m, `json ${hash}`))
    expect(await failures(JSON.stringify({ ...head, entries, proof, note: signed }))).toEqual([])
    expect(await failures(JSON.stringify({ ...head, entries, proof, note }))).toEqual(['content'])
  })

  test('is verified as CSV', async () => {
    const text = await csv()
    const block = /^(NOTE,.*\r\n)+/m.exec(text)?.[0] ?? ''
    const note = block.replaceAll(/^NOTE,"?\|([^",]*)"?,*\r\n/gm, '$1\n')
    const rows = older(note).trimEnd().split('\n')
    const written = rows.map((row) => `NOTE,|${row},,,,,,,,,,,\r\n`).join('')
    expect(await failures(text.replace(block, written))).toEqual([])
  })

  test('and one of an unknown version is refused', async () => {
    for (const text of [await json(), await csv()]) {
      const unknown = text.replaceAll('tollgate/statement/v2', 'tollgate/statement/v3')
      await expect(check(unknown, options)).rejects.toThrow(/statement of the version "tollgate\/statement\/v3"/)
    }
  })
})

test('a replaced key is valid for statements made before', async () => {
  const newer = signingKey(ORIGIN, sha256('a newer key'))
  const failuresWith = async (text: string, rotatedAt: string) => {
    const { note } = signRotation({ origin: ORIGIN, size: 1_000, rotatedAt }, { from: KEY, to: newer })
    const { checks } = await check(text, { vkeys: [newer.vkey], keys: `${newer.vkey}\n\n${note}` })
    return checks.flatMap(({ name, ok }) => (ok ? [] : [name]))
  }
  for (const text of [await json(), await csv()]) {
    expect(await failuresWith(text, MADE_AT)).toEqual([])
    expect(await failuresWith(text, '2026-05-01T12:00:00.122Z')).toEqual(['note'])
  }
})

test('no statement is made with a key that does not sign the log, or no longer', async () => {
  const newer = signingKey(ORIGIN, sha256('a newer key'))
  const open = (...keys: (typeof KEY)[]) => {
    const config = { sandbox: true, LOG_SIGNING_KEY: keys.map(({ text }) => text).join(',') }
    const statements = new Statements({ config, engines, clock: systemClock, log: { error: () => {} } } as never)
    return statements.open({ companyId: COMPANY, from: FROM, to: TO }, { waitMs: 0 })
  }
  const unverifiable = 'LOG_SIGNING_KEY is not the key that signs the log'
  await expect(open(newer)).rejects.toThrow(unverifiable)
  expect(await failures(await textOf(statementCsv(await open(KEY))))).toEqual([])
  const rotation = { origin: ORIGIN, size: 1_000, rotatedAt: MADE_AT }
  const { oldVkey, newVkey, note } = signRotation(rotation, { from: KEY, to: newer })
  const insert = 'insert into ledger_log.key_rotations values (1, $1, $2, $3, $4, $5, $6)'
  await models.database.query(insert, [ORIGIN, rotation.size, oldVkey, newVkey, note, MADE_AT])
  const opened = await Promise.allSettled([open(KEY), open(newer, KEY)])
  await models.database.query('delete from ledger_log.key_rotations')
  expect(opened).toMatchObject([{ reason: { message: expect.stringContaining(unverifiable) } }, { value: {} }])
})

test('a statement says when it was made, signed by the log', async () => {
  for (const text of [await json(), await csv()]) {
    expect(await check(text, options)).toMatchObject({ ok: true, statement: { madeAt: MADE_AT } })
    expect(await detailOf(text, 'note')).toContain(`made at ${MADE_AT}`)
    expect((await failures(text.replaceAll(MADE_AT, MADE_AT.replace('05', '06')))).length).toBeGreaterThan(0)
  }
})

describe('the checker finds in JSON', () => {
  type Entry = { event: { number: number; data: Record<string, unknown> }; balanceMicros: string }
  type Document = {
    entries: Entry[]
    openingMicros: string
    totals: { byAlias: { amountMicros: string }[] }
    note: string
  }
  const changed = async (change: (document: Document) => void) => {
    const document = JSON.parse(await json()) as Document
    change(document)
    return JSON.stringify(document)
  }
  const at = (document: Document, index: number): Entry => {
    const entry = document.entries[index]
    if (!entry) throw new Error(`there is no entry ${index}`)
    return entry
  }

  test('a line that is missing', async () => {
    const text = await changed(({ entries }) => void entries.splice(3, 1))
    expect(await failures(text)).toEqual(['lines', 'totals', 'chain'])
    expect(await detailOf(text, 'lines')).toContain('entry 5 is missing')
  })

  test('lines that were swapped, even with their numbers', async () => {
    const swap = ({ entries }: Document) => void entries.splice(0, 2, ...entries.slice(0, 2).reverse())
    expect(await failures(await changed(swap))).toEqual(['lines', 'totals', 'chain'])
    const renumbered = await changed((document) => {
      swap(document)
      const [one, two] = [at(document, 0), at(document, 1)]
      ;[one.event.number, two.event.number] = [two.event.number, one.event.number]
      ;[one.balanceMicros, two.balanceMicros] = [two.balanceMicros, one.balanceMicros]
    })
    expect(await failures(renumbered)).toContain('chain')
  })

  test('an amount that was changed', async () => {
    const text = await changed((document) => {
      at(document, 0).event.data.amountMicros = '49'
    })
    expect(await failures(text)).toEqual(['lines', 'totals', 'amounts', 'chain'])
    expect(await detailOf(text, 'lines')).toContain('the balance after entry 2')
  })

  test('another opening balance, a changed total, and the note of another company', async () => {
    const opening = await changed((document) => {
      document.openingMicros = '0'
    })
    expect(await failures(opening)).toEqual(['lines', 'content'])
    const total = await changed(({ totals }) => {
      const [alias] = totals.byAlias
      if (alias) alias.amountMicros = '0'
    })
    expect(await failures(total)).toEqual(['totals', 'content'])
    const { note } = JSON.parse(await json(OTHER)) as Document
    const other = await changed((document) => {
      document.note = note
    })
    expect(await failures(other)).toEqual(['content'])
    expect(await detailOf(other, 'content')).toContain(OTHER)
  })

  test('a note that no given key has signed', async () => {
    const text = await changed((document) => {
      document.note = signNote(document.note.slice(0, document.note.indexOf('\n\n') + 1), [OLD_KEY])
    })
    expect(await failures(text)).toEqual(['note'])
    const { checks } = await check(await json(), { vkeys: [OLD_KEY.vkey] })
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['signature', 'note'])
  })
})

describe('the checker refuses unsigned additions', () => {
  const malformed = async (text: string, reason: RegExp) => {
    const verdict = await check(text, options).catch((error: unknown) => error)
    expect(verdict).toBeInstanceOf(Malformed)
    expect((verdict as Error).message).toMatch(reason)
  }

  test.for([
    ['an entry', 'USAGE,12,2026-03-31T23:59:59.999Z,-1,8.99935,,,,,,,,x\r\n'],
    ['a total', 'TOTAL_TYPE,1,,-1,,,,,,,,USAGE,\r\n'],
    ['a second closing balance', 'CLOSING,10,2026-04-01T00:00:00.000Z,,1,,,,,,,,\r\n'],
    ['a second note', 'NOTE,|hello,,,,,,,,,,,\r\n'],
    ['a row of no kind', ',,,,,,,,,,,,\r\n'],
    ['a line that does not end', 'paid in full'],
    ['an empty line', '\r\n'],
  ])('in CSV after note and proof: %s', async ([, row]) => {
    await malformed((await csv()) + row, /row|line/)
  })

  test.for(['NOTE', 'PROOF'])('in CSV in other columns of a row: %s', async (kind) => {
    const text = await csv()
    const changed = text.replace(new RegExp(`^(${kind},.*?),{11}\r\n`, 'm'), `$1,paid${','.repeat(10)}\r\n`)
    expect(changed).not.toBe(text)
    await malformed(changed, /^after the note there is a row/)
  })

  test('in CSV between note and proof, and after a note without a proof', async () => {
    const row = 'USAGE,12,2026-03-31T23:59:59.999Z,-1,8.99935,,,,,,,,x\r\n'
    await malformed((await csv()).replace('PROOF,', `${row}PROOF,`), /row/)
    const empty = await csv(randomUUID())
    expect(empty).not.toContain('PROOF,')
    await malformed(empty + row, /row/)
    await malformed(`${empty}PROOF,|x,,,,,,,,,,,\r\n`, /proof/)
  })

  test('in CSV before its header, and in the CSV of a PDF', async () => {
    await malformed(`x${await csv()}`, /not a receipt/)
    expect(await failures(`\ufeff${await csv()}`)).toEqual([])
    const file = Buffer.concat(await collect(statementPdf(await aStatement(), 'A company'))).toString()
    const end = file.indexOf('\nendstream', file.indexOf('\r\nNOTE,'))
    await malformed(`${file.slice(0, end)}USAGE,12,,,,,,,,,,,\r\n${file.slice(end)}`, /row/)
    // A reader may show another attachment than the one that is checked.
    await malformed(`${file}\n${await csv(OTHER)}\nendstream`, /more than one statement/)
  })

  test('in CSV as rows or columns without a number', async () => {
    const text = await csv()
    await malformed(
      text.replace('\r\nNOTE', `\r\n${',,,,,,,,,,,,\r\n'.repeat(1_500_001)}NOTE`),
      /more than 1500000 rows/,
    )
    await malformed(text.replace('\r\nCLOSING', `\r\n${','.repeat(10_000_000)}\r\nCLOSING`), /13 columns/)
    await malformed(text.replace('\r\nCLOSING', `\r\n${',"'.repeat(1_000_000)}\r\nCLOSING`), /13 columns/)
  })

  test('in JSON: fields that the format does not have, repeated ones, and a proof of nothing', async () => {
    const text = await json()
    const document = JSON.parse(text)
    const [entry, ...entries] = document.entries
    await malformed(JSON.stringify({ ...document, paid: true }), /has a field "paid"/)
    await malformed(JSON.stringify({ ...document, entries: [{ ...entry, paid: true }, ...entries] }), /"paid"/)
    const event = { ...entry.event, paid: true }
    await malformed(JSON.stringify({ ...document, entries: [{ ...entry, event }, ...entries] }), /"paid"/)
    await malformed(text.replace('"openingMicros"', '"openingMicros":"0","openingMicros"'), /twice/)
    for (const balanceMicros of ['0x10', '1'.repeat(41)]) {
      await malformed(JSON.stringify({ ...document, entries: [{ ...entry, balanceMicros }] }), /not a whole number/)
    }
    await malformed(JSON.stringify({ ...document, entries: [{ event: entry.event, balanceMicros: '1' }] }), /base64/)
    const empty = JSON.parse(await json(randomUUID()))
    await malformed(JSON.stringify({ ...empty, proof: document.proof }), /proof/)
  })
})

describe('the checker finds in CSV', () => {
  const lineOf = (text: string, number: number) =>
    text.split('\r\n').find((line) => line.split(',')[1] === `${number}`) ?? ''

  test('a line that is missing, swapped or changed, with its number', async () => {
    const text = await csv()
    const [third, fourth] = [lineOf(text, 4), lineOf(text, 5)]
    const missing = text.replace(`${third}\r\n`, '')
    expect(await failures(missing)).toEqual(['lines', 'totals', 'content'])
    expect(await detailOf(missing, 'lines')).toContain('entry 4 is missing')
    const swapped = text.replace(`${third}\r\n${fourth}`, `${fourth}\r\n${third}`)
    expect(await detailOf(swapped, 'lines')).toContain('entry 4 is missing or out of order')
    const changed = text.replace(lineOf(text, 2), lineOf(text, 2).replace('-0.00005', '-0.00004'))
    expect(await detailOf(changed, 'lines')).toContain('the balance after entry 2')
  })

  test('another opening balance or total, the note and the proof of another company', async () => {
    const text = await csv()
    expect(await failures(text.replace(',4.99995,', ',4.99994,'))).toEqual(['lines', 'content'])
    expect(await failures(text.replace(/(TOTAL_ALIAS,\d+,,)[^,]*/, '$10'))).toEqual(['totals', 'content'])
    const other = await csv(OTHER)
    const block = (from: string, kind: string) => from.match(new RegExp(`^(${kind},.*\r\n)+`, 'm'))?.[0] ?? ''
    expect(await failures(text.replace(block(text, 'NOTE'), block(other, 'NOTE')))).toEqual(
      expect.arrayContaining(['content', 'inclusion']),
    )
    expect(await failures(text.replace(block(text, 'PROOF'), block(other, 'PROOF')))).toEqual(['inclusion'])
  })

  test('a description that was changed, which no sum depends on', async () => {
    expect(await failures((await csv()).replace('a chargeback', 'a gift'))).toEqual(['content'])
  })
})

describe('a PDF', () => {
  const pdf = async () => Buffer.concat(await collect(statementPdf(await aStatement(), 'Zürich Łódź Αθήνα 東京')))

  test('shows entries, balances and totals, with a box for letters missing in the font', async () => {
    const { text } = await extractText(new Uint8Array(await pdf()), { mergePages: true })
    for (const shown of ['Zürich Łódź Αθήνα □□', 'Opening balance 4.99995', 'Calls by label', '(none)', 'Page 1']) {
      expect(text).toContain(shown)
    }
    expect(text).toMatch(/11 2026-03-31 23:59:59\.999 PRICES price book 9{8}-.* 0 9\.9994/)
    expect(text).toMatch(/12 2026-03-31 23:59:59\.999 USAGE svc\/chat-default -0\.00005 9\.99935/)
  })

  test('is verified by the CSV that is attached to it', async () => {
    const text = (await pdf()).toString()
    expect(await failures(text)).toEqual([])
    expect(await failures(text.replace('REFUND,6,', 'REFUND,7,'))).toEqual(['lines', 'content'])
  })

  test('of too many entries is refused, with the format to use instead', () => {
    expect(() => requireFormat('pdf', { count: 20_000 })).not.toThrow()
    expect(() => requireFormat('pdf', { count: 20_001 })).toThrow('use the format csv')
    expect(() => requireFormat('csv', { count: 20_001 })).not.toThrow()
  })
})

describe('a statement whose source fails', () => {
  /** Gives one page of events and then fails, like a store whose connection breaks. */
  async function broken(): Promise<Statement> {
    const statement = await aStatement()
    const { storeAsWritten } = engines
    const readStream: typeof storeAsWritten.readStream = async function* (...args) {
      const [first] = await collect(storeAsWritten.readStream(...args))
      for (let n = 0; first && n < PAGE_LINES; n++) yield first
      throw new Error('the store is gone')
    }
    const failing = new Proxy(storeAsWritten, {
      get: (target, name) => (name === 'readStream' ? readStream : Reflect.get(target, name, target)),
    })
    const range = { ...statement.range, count: PAGE_LINES + 1 }
    return { ...statement, range, engines: { ...engines, storeAsWritten: failing } }
  }

  async function read(pieces: AsyncIterable<Buffer>): Promise<{ text: string; error: unknown }> {
    const read: Buffer[] = []
    let error: unknown = null
    try {
      for await (const piece of pieces) read.push(piece)
    } catch (thrown) {
      error = thrown
    }
    return { text: Buffer.concat(read).toString(), error }
  }

  test.for(['text', 'csv', 'json'] as const)('as %s ends with an error line, fails, and is refused', async (format) => {
    const { text, error } = await read(await openStatementFile(await broken(), format, 'A company'))
    expect(error).toMatchObject({ message: 'the store is gone' })
    expect(text).toContain('this statement is incomplete, because its source failed')
    if (format === 'csv') expect(text.split('\r\n').at(-2)).toMatch(/^ERROR,"this statement is incomplete, .*",{11}$/)
    if (format === 'json') expect(JSON.parse(text)).toMatchObject({ error: expect.stringContaining('incomplete') })
    if (format !== 'text') {
      const refusal = /this is not a statement|the statement has a field "error", which its format does not have/
      await expect(check(text, options)).rejects.toThrow(refusal)
    }
  })

  test('as PDF fails before anything is written, because its attachment comes first', async () => {
    const { text, error } = await read(await openStatementFile(await broken(), 'pdf', 'A company'))
    expect({ text, error }).toEqual({ text: '', error: new Error('the store is gone') })
  })

  test('as PDF that fails later ends with an error line and is refused', async () => {
    const begun = async function* () {
      yield Buffer.from('%PDF-1.3\n')
      throw new Error('the store is gone')
    }
    const { text } = await read(withErrorLine(begun(), 'pdf'))
    expect(text).toMatch(/\n%ERROR: this statement is incomplete, .*\n$/)
    await expect(check(text, options)).rejects.toThrow()
  })
})

test('a CSV has rows of equal length, and no text that a spreadsheet takes for a formula', async () => {
  const rows = (await csv()).split('\r\n')
  expect(rows.pop()).toBe('')
  const cells = rows.map((row) => row.match(/(?<=^|,)("(?:[^"]|"")*"|[^",]*)(?=,|$)/g) ?? [])
  expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([13]))
  expect(cells.find(([type]) => type === 'ADJUSTMENT')?.[11]).toBe(`"'=HYPERLINK(""http://x.test"",""a, b"")  NOTE,x"`)
  expect(cells.flat().filter((cell) => /^"?[=+@]/.test(cell))).toEqual([])
})

test('an event that a store holds twice counts once, sealed or not', async () => {
  const [sealed] = await models.database.query<{ eventId: string; revision: string }>(
    'select event_id, revision from ledger_log.entries where company_id = $1 and number = 3',
    [COMPANY],
  )
  const [known, fresh] = [sealed?.eventId ?? '', randomUUID()]
  const held = [
    { id: known, revision: Number(sealed?.revision) },
    { id: fresh, revision: 50 },
    { id: known, revision: 51 },
    { id: fresh, revision: 52 },
  ]
  const counted = await collect(countedOnce(models.database, COMPANY, Readable.from(held)))
  expect(counted).toEqual(held.slice(0, 2))
})
