// @ts-check
/**
 * Checks receipts and statements of a Tollgate ledger offline. This file imports nothing of Tollgate, so that it can be read and trusted
 * alone. It uses only WebCrypto: it runs in a browser, and with Node 20 or newer as a command (`node check.mjs --help`).
 * Every installation serves it at /log/check.mjs. The formats are those of RFC 6962 (the tree), RFC 8785 (JSON),
 * C2SP signed-note, tlog-checkpoint and tlog-proof.
 *
 * @typedef {{ stream: string, number: number, id: string, type: string, time: string, data: Record<string, any> }} LoggedEvent
 * @typedef {{ event: LoggedEvent, previous: string | null, salt: string, proof: string }} EntryReceipt
 * @typedef {EntryReceipt & { version?: number, book?: EntryReceipt | null }} Receipt
 * @typedef {{ origin: string, size: number, root: Uint8Array }} Checkpoint
 * @typedef {{ size: number, path: Uint8Array[] }} Consistency
 * @typedef {{ vkeys: string[], since?: string, keys?: string }} Options
 * @typedef {{ name: string, id: Uint8Array, timedId: Uint8Array, publicKey: CryptoKey, sizeMax: number, until: string | null }} Key
 * @typedef {{ since: string | undefined, keys: Key[] }} Resolved
 * @typedef {{ name: string, ok: boolean, detail: string, missing?: true }} Check
 * @typedef {{ kind: 'receipt', ok: boolean, checks: Check[], event: LoggedEvent }} ReceiptResult
 * @typedef {{ input?: string, output?: string, [kind: string]: string | undefined }} Rates
 * @typedef {{ rates: Rates, inputTiers?: { tokens: number, inclusive: boolean, rates: Rates }[], unitRates?: Record<string, string>,
 *   tierFactors?: Record<string, string>, callMicros?: string }} Price
 * @typedef {{ kind: string, count: number, rate: string, amount: bigint }} ChargeLine
 * @typedef {{ kind: 'statement', ok: boolean, checks: Check[], statement: Record<string, string | number | null> }} StatementResult
 * @typedef {{ type: string, number: number, time: string, delta: bigint, balance: bigint, alias?: string, key?: string, label?: string }} Line
 * @typedef {{ name: string, entries: number, delta: bigint }} Total
 * @typedef {{ version: string, madeAt: string | null, companyId: string, from: string, to: string, first: number, count: number,
 *   opening: bigint, closing: bigint,
 *   format: 'json' | 'csv', sha256: Uint8Array, lines: Line[], totals: Record<string, Total[]>, last: string, note: string,
 *   proof: string | null, proven: number | null, entries: { event: LoggedEvent, salt: string }[] | null,
 *   previous: string | null }} Statement
 */

/** The file or key is malformed, so there is nothing to check. */
export class Malformed extends Error {}

/** Files are held in memory as a whole. A longer statement is split: those of consecutive times join. */
export const FILE_BYTES_MAX = 128 * 1024 * 1024
/** A note has a few lines, and a signature for each key. */
const NOTE_BYTES_MAX = 64 * 1024
/** A note has one or two for each key. Each is verified, and one that is right can be repeated without end. */
const SIGNATURES_MAX = 100
/** A key that was replaced has about 700 bytes. */
const KEYS_BYTES_MAX = 1024 * 1024
/** A receipt has up to two events of at most 512 KiB, and more characters if its lines are indented. */
const RECEIPT_CHARS_MAX = 4 * 1024 * 1024
/** Events have far fewer levels. */
const JSON_DEPTH_MAX = 64
/** The entry of a statement has about 40 of them in a thousand characters. */
const JSON_VALUES_MAX = 10_000_000

/**
 * Checks a receipt (JSON) or a statement (JSON, CSV, or PDF with the CSV attached).
 * @param {string} text the file as UTF-8
 * @param {Options} options the log's verifier keys; optionally an older checkpoint of the log, and the text that it serves at
 *   /log/vkey, by which keys that were replaced count for what they signed
 * @returns {Promise<ReceiptResult | StatementResult>}
 */
export async function check(text, { vkeys, since, keys }) {
  const options = { since, keys: await trustedKeys(vkeys, keys) }
  if (text.length > FILE_BYTES_MAX) throw tooLong(FILE_BYTES_MAX)
  const csv = attachedCsv(text)
  if (csv !== null) return checkStatement(await statementOfCsv(csv), options)
  const document = parseJson(text)
  if (document?.statement !== undefined) return checkStatement(await statementOfJson(document), options)
  if (text.length > RECEIPT_CHARS_MAX) throw new Malformed(`this is not a receipt: it has ${text.length} characters`)
  return checkReceipt(document, options)
}

/** @type {(bytesMax: number) => Malformed} */
const tooLong = (bytesMax) =>
  new Malformed(`the file has more than ${bytesMax} bytes: request statements of shorter times, which join`)

/** Collects what was checked. */
function checklist() {
  /** @type {Check[]} */
  const checks = []
  /** @type {(name: string, ok: boolean, good: string, bad: string) => void} */
  const add = (name, ok, good, bad) => void checks.push({ name, ok, detail: ok ? good : bad })
  /** Something that this file does not prove, and that files of its kind need not prove. */
  /** @type {(name: string, detail: string) => void} */
  const miss = (name, detail) => void checks.push({ name, ok: true, detail, missing: true })
  return { checks, add, miss, result: () => ({ ok: checks.every(({ ok }) => ok), checks }) }
}

/** @type {(document: any, options: Resolved) => Promise<ReceiptResult>} */
async function checkReceipt(document, options) {
  const { version, event, book = null, ...entry } = parseReceipt(document)
  const { add, miss, result } = checklist()
  if (event.type === 'CallCharged') {
    const fault = chargeFault(event.data)
    const amount =
      fault ??
      `the charge is what its tokens and units cost at the recorded rates: ${event.data.amountMicros} millionths of a credit`
    add('amount', fault === null, amount, amount)
    if (book === null) miss('price', notAnchored(version, event.data))
    else await checkBook(add, event, book, entry.proof)
  }
  await checkProof(add, 'the event', await receiptEntry({ event, ...entry }), entry.proof, options)
  return { kind: 'receipt', ...result(), event }
}

/** @type {(receipt: EntryReceipt) => Promise<Uint8Array>} */
const receiptEntry = ({ event, previous, salt }) => entryOf(event, previous, hashFromBase64(salt))

/** @type {(version: number | undefined, data: Record<string, any>) => string} */
function notAnchored(version, { price }) {
  if ((version ?? 1) < 2)
    return 'not anchored: a receipt of this version has no price book, so request it again to compare the rates'
  const book = `price book ${JSON.stringify(price?.bookId)?.slice(0, 60)}`
  return `not anchored: no checkpoint covered ${book} when the receipt was made, so request it again to compare the rates`
}

/** That the rates are those of the price book, and that the book is in the tree that the charge is in. */
/** @type {(add: ReturnType<typeof checklist>['add'], charge: LoggedEvent, book: EntryReceipt, chargeProof: string) => Promise<void>} */
async function checkBook(add, charge, book, chargeProof) {
  const { event } = book
  const { bookId, effectiveFrom } = event.data
  const fault = priceFault(charge, event)
  const rates =
    fault ?? `the rates are those of ${charge.data.alias} in price book ${bookId}, in force from ${effectiveFrom}`
  add('price', fault === null, rates, rates)
  const { index, inclusion, note } = parseProof(book.proof)
  const isSameTree = note === parseProof(chargeProof).note
  const { size, root } = parseCheckpoint(noteParts(note).text)
  const computed = await rootFromInclusion(await hashLeaf(await receiptEntry(book)), index, size, inclusion)
  const isIncluded = computed !== null && equal(computed, root)
  const place = `number ${index} of the same ${size} entries`
  const bad = isSameTree
    ? `the price book, as it stands here, is not ${place}`
    : 'the price book is in another checkpoint'
  add('book', isSameTree && isIncluded, `the price book is ${place}`, bad)
}

/** That the entry is in the tree of the proof's checkpoint, that the log signed it, and that it kept an older one. */
/** @type {(add: ReturnType<typeof checklist>['add'], what: string, entry: Uint8Array, proof: string, options: Resolved) => Promise<Checkpoint>} */
async function checkProof(add, what, entry, proof, { keys, since }) {
  const { index, inclusion, consistency, note } = parseProof(proof)
  const checkpoint = parseCheckpoint(noteParts(note).text)
  const { origin, size, root } = checkpoint
  const computed = await rootFromInclusion(await hashLeaf(entry), index, size, inclusion)
  const isIncluded = computed !== null && equal(computed, root)
  const place = `number ${index} of the ${size} entries with the root ${toBase64(root)}`
  add('inclusion', isIncluded, `${what} is ${place}`, `${what}, as it stands here, is not ${place}`)

  const keyFault = await signatureFault(note, origin, keys)
  const signedAt = await timeOf(note, keys)
  const when = signedAt ? ` at ${signedAt}` : ''
  add('signature', keyFault === null, `${origin} signed these ${size} entries${when}`, keyFault ?? '')

  if (since !== undefined) {
    const fault = (await signatureFault(since, origin, keys)) ?? (await sinceFault(since, checkpoint, consistency))
    add('since', fault === null, 'the log still contains everything that the older checkpoint covers', fault ?? '')
  }
  return checkpoint
}

// Statements.

/** @type {(statement: Statement, options: Resolved) => Promise<StatementResult>} */
async function checkStatement(statement, options) {
  const { companyId, from, to, first, count, opening, closing, lines, totals, entries, proof, note, madeAt } = statement
  const { add, result } = checklist()
  const lineFault = faultOfLines(statement)
  add('lines', lineFault === null, `${count} entries lead from the opening to the closing balance`, lineFault ?? '')
  const totalFault = faultOfTotals(lines, totals)
  add('totals', totalFault === null, 'the totals are those of the lines', totalFault ?? '')

  let last = statement.last === '-' ? null : hashFromBase64(statement.last)
  if (entries !== null) {
    const fault = faultOfCharges(entries)
    const charges = 'all charges are what their tokens and units cost at the recorded rates'
    add('amounts', fault === null, charges, fault ?? '')
    const computed = await lastOfChain(statement)
    const isChain = last !== null && computed !== null && equal(computed, last)
    const bad = last === null ? 'the log does not have the last entry yet' : 'the entries do not lead to the last one'
    if (count > 0) add('chain', isChain, 'each entry follows the one before it, up to the last one', bad)
    if (isChain) last = computed
  }
  const contentFault = faultOfNote(statement)
  add('content', contentFault === null, 'the note is about exactly this statement', contentFault ?? '')

  const isProven = proof !== null && last !== null && statement.proven === first + count - 1
  let origin = options.keys[0]?.name ?? ''
  if (isProven && last !== null) ({ origin } = await checkProof(add, 'the last entry', last, proof, options))
  else if (count > 0) {
    const until = statement.proven === null ? 'no entry' : `only entries up to ${statement.proven}`
    add('inclusion', false, '', `when the statement was made, a checkpoint covered ${until}: request it again`)
  }
  const signing = options.keys.filter(({ until }) => until === null || madeAt === null || madeAt <= until)
  const fault = await noteFault(note, origin, signing, 'statement')
  const when = madeAt === null ? '' : `, made at ${madeAt}`
  add('note', fault === null, `${origin} signed the statement${when}`, fault ?? '')
  const figures = { opening: String(opening), closing: String(closing) }
  return { kind: 'statement', ...result(), statement: { companyId, from, to, first, count, ...figures, madeAt } }
}

/** @type {(entries: { event: LoggedEvent }[]) => string | null} */
function faultOfCharges(entries) {
  for (const { event } of entries) {
    const fault = event.type === 'CallCharged' ? chargeFault(event.data) : null
    if (fault !== null) return `entry ${event.number}: ${fault}`
  }
  return null
}

/** What is wrong with the lines: each number follows the one before, and each balance is the one before plus the amount. */
/** @type {(statement: Statement) => string | null} */
function faultOfLines({ lines, first, count, opening, closing, from, to }) {
  if (first === 0 && opening !== 0n) return 'the first entry of a ledger begins with a balance of 0'
  let balance = opening
  for (const [at, line] of lines.entries()) {
    if (line.number !== first + at)
      return `entry ${first + at} is missing or out of order: ${line.number} is in its place`
    balance += line.delta
    if (line.balance !== balance)
      return `the balance after entry ${line.number} is ${balance} millionths, and not ${line.balance}`
    if (line.time >= to || (at === 0 && line.time < from))
      return `entry ${line.number} is outside of the period: ${line.time}`
  }
  if (lines.length !== count)
    return `there are ${lines.length} entries, and not ${count}: entry ${first + lines.length} is missing`
  return balance === closing ? null : `the closing balance is ${balance} millionths, and not ${closing}`
}

/** The totals of the first 1,000 names of a kind, in the order in which they first occur; the others share one. */
/** @type {(lines: Line[], totals: Record<string, Total[]>) => string | null} */
function faultOfTotals(lines, totals) {
  /** @type {Record<string, (line: Line) => string | undefined>} */
  const kinds = {
    byType: ({ type }) => type,
    byAlias: ({ alias }) => alias,
    byKey: ({ key }) => key,
    byLabel: ({ label }) => label,
  }
  for (const [kind, nameOf] of Object.entries(kinds)) {
    /** @type {Map<string, Total>} */
    const sums = new Map()
    for (const line of lines) {
      const own = nameOf(line)
      if (own === undefined) continue
      const name = sums.has(own) || sums.size < 1000 ? own : '(other)'
      const sum = sums.get(name) ?? { name, entries: 0, delta: 0n }
      sums.set(name, { name, entries: sum.entries + 1, delta: sum.delta + line.delta })
    }
    const stated = totals[kind] ?? []
    const wrong = [...sums.values()].find(
      ({ name, entries, delta }, at) =>
        stated[at]?.name !== name || stated[at].entries !== entries || stated[at].delta !== delta,
    )
    if (wrong) return `the total ${kind} of ${wrong.name} is ${wrong.delta} millionths in ${wrong.entries} entries`
    if (stated.length !== sums.size) return `there are totals ${kind} of names that no line has`
  }
  return null
}

/** The entry that the statement's events lead to, beginning with the entry before the first of them. */
/** @type {(statement: Statement) => Promise<Uint8Array | null>} */
async function lastOfChain({ entries, previous, companyId }) {
  /** @type {Uint8Array | null} */
  let last = null
  for (const { event, salt } of entries ?? []) {
    if (event.stream !== `ledger-${companyId}`) return null
    last = await entryOf(event, last === null ? previous : toBase64(last), hashFromBase64(salt))
  }
  return last
}

/** The note repeats what the statement says, and the hash of the rest. */
/** @type {(statement: Statement) => string | null} */
function faultOfNote({
  version,
  madeAt,
  companyId,
  from,
  to,
  first,
  count,
  opening,
  closing,
  last,
  format,
  sha256,
  note,
}) {
  const said = noteParts(note).text.split('\n')
  const made = madeAt === null ? {} : { made: madeAt }
  const facts = {
    ...made,
    company: companyId,
    from,
    to,
    first,
    count,
    opening,
    closing,
    last,
    [format]: toBase64(sha256),
  }
  const expected = [version, ...Object.entries(facts).map(([name, fact]) => `${name} ${fact}`), '']
  const at = expected.findIndex((line, place) => said[place] !== line)
  if (at === -1 && said.length === expected.length) return null
  return `the note says ${JSON.stringify(said[at] ?? '')} where the statement has ${JSON.stringify(expected[at] ?? '')}`
}

/** How the events of the log are shown: their type on a statement, and their sign. */
/** @type {Record<string, [string | null, bigint]>} */
const EVENTS = {
  CreditsGranted: [null, 1n],
  CallCharged: ['USAGE', -1n],
  ChargeReversed: ['REVERSAL', 1n],
  CallFailed: ['FAILED', 0n],
  CreditsRefunded: ['REFUND', -1n],
  CreditsAdjusted: ['ADJUSTMENT', 1n],
  InvoiceSettled: ['SETTLEMENT', 1n],
  MonthClosed: ['MONTH_CLOSED', 0n],
  MonthBilled: ['MONTH_BILLED', 0n],
  PriceBookAnchored: ['PRICES', 0n],
}

/** Statements of version 1 do not say when they were made. */
const STATEMENT_V1 = 'tollgate/statement/v1'
const STATEMENT_V2 = 'tollgate/statement/v2'
const STATEMENT_FIELDS = [
  ...['statement', 'companyId', 'from', 'to', 'first', 'count', 'openingMicros', 'closingMicros'],
  ...['previous', 'last', 'proven', 'totals'],
]

/** @type {(version: unknown, madeAt: string | undefined) => void} */
function requireVersion(version, madeAt) {
  if (version !== STATEMENT_V1 && version !== STATEMENT_V2) {
    const shown = JSON.stringify(version)?.slice(0, 60)
    throw new Malformed(
      `this is a statement of the version ${shown}, which this checker does not know: get a newer checker`,
    )
  }
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(madeAt ?? '')
  if (version === STATEMENT_V2 && !isTime) throw new Malformed('the statement does not say when it was made')
}

/** @type {(document: any) => Promise<Statement>} */
async function statementOfJson(document) {
  try {
    const { entries, proof, note, ...rest } = document
    const { statement: version, madeAt, companyId, from, to, first, count, previous, last, proven, totals } = rest
    requireVersion(version, madeAt)
    requireFields(rest, version === STATEMENT_V1 ? STATEMENT_FIELDS : [...STATEMENT_FIELDS, 'madeAt'], 'the statement')
    if (proof !== null && proven === null)
      throw new Malformed('there is a proof of an entry that the statement does not name')
    const lines = entries.map((/** @type {any} */ entry) => {
      const { event, balanceMicros } = entry
      // The fields of an event that the log withholds are known once it has an entry of the company.
      if (event === null)
        throw new Malformed('when the statement was made, the log had no entry of the company yet: request it again')
      const [type, sign] = EVENTS[event.type] ?? []
      if (sign === undefined) throw new Malformed(`entry ${event.number} has a type that is not in the log`)
      requireFields(entry, ['event', 'salt', 'balanceMicros'], `entry ${event.number}`)
      requireFields(event, EVENT_FIELDS, `the event of entry ${event.number}`)
      const { alias, keyId: key, label, source, amountMicros } = event.data
      const isCharged = event.type === 'CallCharged' || event.type === 'ChargeReversed'
      const delta = sign === 0n ? 0n : sign * wholeNumber(amountMicros)
      const line = {
        type: type ?? source,
        number: event.number,
        time: event.time,
        delta,
        balance: wholeNumber(balanceMicros),
      }
      return isCharged ? { ...line, alias, key, label: label ?? '(none)' } : line
    })
    /** @type {(sums: any[]) => Total[]} */
    const totalsOf = (sums) =>
      sums.map(({ name, entries, amountMicros }) => ({ name, entries, delta: wholeNumber(amountMicros) }))
    const { byType, byAlias, byKey, byLabel } = totals
    return {
      ...{
        version,
        madeAt: madeAt ?? null,
        companyId,
        from,
        to,
        first,
        count,
        previous,
        proven,
        proof,
        entries,
        lines,
      },
      format: 'json',
      ...{
        opening: wholeNumber(rest.openingMicros),
        closing: wholeNumber(rest.closingMicros),
        last: last ?? '-',
        note: String(note),
      },
      totals: {
        byType: totalsOf(byType),
        byAlias: totalsOf(byAlias),
        byKey: totalsOf(byKey),
        byLabel: totalsOf(byLabel),
      },
      sha256: await sha256(utf8(canonicalJson(rest))),
    }
  } catch (error) {
    if (error instanceof Malformed) throw error
    throw new Malformed(`this is not a statement: ${error instanceof Error ? error.message : error}`)
  }
}

const CSV_COLUMNS = 13
/** The shortest row of an entry has about a hundred characters. */
const CSV_ROWS_MAX = 1_500_000
const CSV_HEADER = 'type,number,time,credits,balance,alias,key,label,tokens_in,tokens_out,call,description,id\r\n'

/** The CSV that the file is, or that a PDF has as its attachment; null if there is none. */
/** @type {(text: string) => string | null} */
function attachedCsv(text) {
  const isPdf = text.startsWith('%PDF-')
  // Spreadsheets write a byte order mark.
  const start = isPdf ? text.indexOf(CSV_HEADER) : text.startsWith('\ufeff') ? 1 : 0
  if (start === -1 || !text.startsWith(CSV_HEADER, start)) return null
  if (text.includes(CSV_HEADER, start + 1)) throw new Malformed('the file contains more than one statement')
  const end = isPdf ? text.indexOf('\nendstream', start) : -1
  return end === -1 ? text.slice(start) : text.slice(start, end)
}

/** The rows of note and proof, which are the last ones: nothing signs a row after them. */
/** @type {(rows: string[][], kind: string) => string | null} */
function textOf(rows, kind) {
  const lines = rows.flatMap(([type, line]) => (type === kind && line !== undefined ? [`${line.slice(1)}\n`] : []))
  return lines.length === 0 ? null : lines.join('')
}

/** Refuses rows after the note that are neither its own nor, after these, those of the proof. */
/** @type {(rows: string[][]) => void} */
function requireEnd(rows) {
  const proof = rows.findIndex(([type]) => type !== 'NOTE')
  const wrong = rows.findIndex(([type, line = '', ...rest], at) => {
    const expected = proof !== -1 && at >= proof ? 'PROOF' : 'NOTE'
    return type !== expected || !line.startsWith('|') || rest.some((cell) => cell !== '')
  })
  if (wrong === -1) return
  throw new Malformed(
    `after the note there is a row that is not part of it or of the proof: ${JSON.stringify(rows[wrong]?.join(',').slice(0, 60))}`,
  )
}

/** @type {(csv: string) => Promise<Statement>} */
async function statementOfCsv(csv) {
  const end = csv.indexOf('\r\nNOTE,') + 2
  if (end === 1) throw new Malformed('this is not a statement: it has no note')
  if (!csv.endsWith('\r\n')) throw new Malformed('the last line of the statement is not complete')
  const endRows = [...rowsOf(csv, end, csv.length)]
  requireEnd(endRows)
  const note = textOf(endRows, 'NOTE') ?? ''
  /** @type {string[] | undefined} */
  let opening
  /** @type {string[] | undefined} */
  let closing
  /** @type {Line[]} */
  const lines = []
  /** @type {string[][]} */
  const others = []
  // Only what is needed of a row is kept, of which there may be many.
  for (const row of rowsOf(csv, CSV_HEADER.length, end)) {
    if (row[0] === 'OPENING' && opening === undefined) opening = row
    else if (row[0] === 'CLOSING' && closing === undefined) closing = row
    else if (opening !== undefined && closing === undefined) lines.push(lineOf(row))
    else others.push(row)
  }
  if (opening === undefined || closing === undefined)
    throw new Malformed('the statement has no opening or closing balance')
  /** @type {(kind: string, column: number) => Total[]} */
  const totalsOf = (kind, column) =>
    others.flatMap((row) =>
      row[0] === kind ? [{ name: row[column] ?? '', entries: Number(row[1]), delta: microsOf(row[3]) }] : [],
    )
  const said = new Map(note.split('\n').map((line) => /** @type {[string, string]} */ (line.split(' ', 2))))
  const first = Number(said.get('first'))
  const version = note.slice(0, note.indexOf('\n'))
  const madeAt = version === STATEMENT_V1 ? undefined : said.get('made')
  requireVersion(version, madeAt)
  const proof = textOf(endRows, 'PROOF')
  if (proof !== null && said.get('last') === '-')
    throw new Malformed('there is a proof of an entry that the note does not name')
  return {
    ...{ version, madeAt: madeAt ?? null },
    ...{ companyId: opening[11] ?? '', from: opening[2] ?? '', to: closing[2] ?? '', first, count: Number(closing[1]) },
    ...{
      opening: microsOf(opening[4]),
      closing: microsOf(closing[4]),
      format: 'csv',
      lines,
      note,
      proof,
      entries: null,
    },
    totals: {
      ...{ byType: totalsOf('TOTAL_TYPE', 11), byAlias: totalsOf('TOTAL_ALIAS', 5) },
      ...{ byKey: totalsOf('TOTAL_KEY', 6), byLabel: totalsOf('TOTAL_LABEL', 7) },
    },
    ...{ last: said.get('last') ?? '-', previous: null, sha256: await sha256(utf8(csv.slice(0, end))) },
    // The proof of a CSV is about the last entry, or missing.
    proven: proof === null ? null : first + Number(closing[1]) - 1,
  }
}

/** @type {(row: string[]) => Line} */
function lineOf([type = '', number, time = '', credits, balance, alias, key, label]) {
  const line = { type, number: Number(number), time, delta: microsOf(credits), balance: microsOf(balance) }
  return type === 'USAGE' || type === 'REVERSAL' ? { ...line, alias, key, label: label || '(none)' } : line
}

/** The rows of a part of the CSV. */
/** @type {(csv: string, from: number, to: number) => Generator<string[]>} */
function* rowsOf(csv, from, to) {
  let rows = 0
  for (let at = from; at < to; ) {
    const end = csv.indexOf('\r\n', at)
    const row = cellsOf(csv.slice(at, end))
    rows += 1
    if (row.length !== CSV_COLUMNS) throw new Malformed(`row ${rows} does not have ${CSV_COLUMNS} columns`)
    if (rows > CSV_ROWS_MAX) throw new Malformed(`the statement has more than ${CSV_ROWS_MAX} rows`)
    yield row
    at = end + 2
  }
}

/** The cells of a row; of one that has too many, only some. */
/** @type {(line: string) => string[]} */
function cellsOf(line) {
  if (!line.includes('"')) return line.split(',', CSV_COLUMNS + 1)
  const cells = []
  for (let at = 0; cells.length <= CSV_COLUMNS; at += 1) {
    const isQuoted = line[at] === '"'
    const end = isQuoted ? endOfQuoted(line, at) : line.indexOf(',', at)
    const cell = line.slice(at, end === -1 ? line.length : end)
    const text = isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell
    const isWhole = end !== -1 || !isQuoted
    if (!isWhole || (!isQuoted && text.includes('"')))
      throw new Malformed('a quotation mark in the CSV has no other one')
    cells.push(text)
    at += cell.length
    if (at === line.length) break
    if (line[at] !== ',') throw new Malformed('a cell of the CSV has a text after its quotation mark')
  }
  return cells
}

/** The place after the quotation mark that ends the cell which begins here; -1 if there is none. */
/** @type {(line: string, start: number) => number} */
function endOfQuoted(line, start) {
  let end = line.indexOf('"', start + 1)
  while (end !== -1 && line[end + 1] === '"') end = line.indexOf('"', end + 2)
  return end === -1 ? -1 : end + 1
}

/** @type {(credits: string | undefined) => bigint} */
function microsOf(credits) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,40})(?:\.(\d{1,6}))?$/.exec(credits ?? '') ?? []
  if (whole === undefined) throw new Malformed(`${JSON.stringify(credits)} is not an amount of credits`)
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

// The receipt and its entry.

/** @type {(receipt: any) => Receipt} */
function parseReceipt(receipt) {
  const { version, book } = receipt ?? {}
  if (version !== undefined && version !== 1 && version !== RECEIPT_VERSION) {
    const shown = JSON.stringify(version)?.slice(0, 20)
    throw new Malformed(
      `this is a receipt of version ${shown}, and this checker knows version ${RECEIPT_VERSION} and those before it: ` +
        'get a newer checker',
    )
  }
  const hasBook = version === RECEIPT_VERSION
  requireEntry(receipt, ['version', ...ENTRY_FIELDS, ...(hasBook ? ['book'] : [])], 'the receipt')
  if (hasBook && book === undefined) throw new Malformed('the receipt has no field "book", not even null')
  if (hasBook && book !== null) {
    if (receipt.event.type !== 'CallCharged')
      throw new Malformed('the receipt has a price book, but is not of a charge')
    requireEntry(book, ENTRY_FIELDS, 'the price book of the receipt')
  }
  return receipt
}

/** The first receipts have no version. Those of version 1 have the same other fields, and version 2 adds the price book. */
const RECEIPT_VERSION = 2
const ENTRY_FIELDS = ['event', 'previous', 'salt', 'proof']

/** @type {(entry: any, fields: string[], what: string) => void} */
function requireEntry(entry, fields, what) {
  const { event, previous, salt, proof } = entry ?? {}
  const { stream, number, id, type, time, data } = event ?? {}
  const hasTexts = [salt, proof, stream, id, type, time].every((field) => typeof field === 'string')
  const isEntry = hasTexts && Number.isSafeInteger(number) && typeof data === 'object' && data !== null
  if (!isEntry || (previous !== null && typeof previous !== 'string')) {
    const not = what === 'the receipt' ? 'this is not a receipt' : `${what} is not an entry of the log`
    throw new Malformed(`${not}: it is not JSON with event, previous, salt and proof`)
  }
  // The log vouches for these fields. Another one could say anything.
  requireFields(entry, fields, what)
  requireFields(event, EVENT_FIELDS, `the event of ${what}`)
}

const EVENT_FIELDS = ['stream', 'number', 'id', 'type', 'time', 'data']

/** @type {(object: object, names: string[], what: string) => void} */
function requireFields(object, names, what) {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other === undefined) return
  throw new Malformed(`${what} has a field ${JSON.stringify(other.slice(0, 60))}, which its format does not have`)
}

/** The entry of the log: it commits to the event and, through the previous entry, to all events before it. */
/** @type {(event: LoggedEvent, previous: string | null, salt: Uint8Array) => Promise<Uint8Array>} */
function entryOf({ stream, number, id, type, time, data }, previous, salt) {
  const text = canonicalJson({ stream, number, id, type, time, data, previous })
  return sha256(utf8('tollgate/leaf/v1\n'), salt, utf8(text))
}

/** RFC 8785: names in order, no spaces. JSON.stringify writes numbers and strings as it demands. */
/** @type {(value: unknown) => string} */
function canonicalJson(value) {
  // JSON.stringify writes null for a number like 1e999, and UTF-8 has no half of a character: both could stand for another value.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Malformed('a number is too large')
  if (typeof value === 'string' && HALF_CHARACTER.test(value)) throw new Malformed('a text is not valid Unicode')
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  if (members.some(([name]) => HALF_CHARACTER.test(name))) throw new Malformed('a name is not valid Unicode')
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}

/** BigInt reads other forms, too, such as 0x10, and takes minutes for a hundred million digits. */
/** @type {(value: unknown) => bigint} */
function wholeNumber(value) {
  const text = typeof value === 'object' ? canonicalJson(value) : String(value)
  if (/^-?\d{1,40}$/.test(text)) return BigInt(text)
  throw new Malformed(`${JSON.stringify(text.slice(0, 60))} is not a whole number`)
}

const HALF_CHARACTER = /\p{Surrogate}/u

// What a call costs. Rates are millionths of a credit for a million tokens or units.

const MILLION = 1_000_000n
/** Each kind of tokens, and the kind whose rate it has if the price has none of its own. The parts do not overlap. */
/** @type {Record<string, string | null>} */
const PARENTS = {
  ...{ input: null, cachedInput: 'input', cacheWrite: 'input', cacheWrite1h: 'cacheWrite' },
  ...{ audioInput: 'input', imageInput: 'input' },
  ...{ output: null, reasoning: 'output', audioOutput: 'output', imageOutput: 'output' },
}
/** In the order of the lines. */
const INPUT_PARTS = ['cachedInput', 'cacheWrite1h', 'cacheWrite', 'audioInput', 'imageInput']
const OUTPUT_PARTS = ['reasoning', 'audioOutput', 'imageOutput']
/** The line that takes off what exceeds the bound of the call, such as the credits that were held for it. */
const BEYOND_BOUND = 'beyondBound'

/** Why the charge is not what its counts cost at its own rates; null if it is. */
/** @type {(data: Record<string, any>) => string | null} */
function chargeFault(data) {
  try {
    const price = priceOf(data.price)
    // Charges from before there were lines were computed as one amount.
    if ((data.lines ?? null) === null) return flatFault(data, price)
    return factorFault(data, price) ?? partsFault(data) ?? linesFault(data, price)
  } catch (error) {
    return `the charge cannot be computed: ${error instanceof Error ? error.message : error}`
  }
}

/** @type {(data: Record<string, any>, price: Price) => string | null} */
function flatFault(data, price) {
  if (data.tierFactor != null) return `the charge has a tier factor, ${shown(data.tierFactor)}, and no lines`
  const parts = new Map([
    ['cachedInput', data.tokensCached ?? 0],
    ['cacheWrite', data.tokensCacheWrite ?? 0],
  ])
  const micros = sumOf(expectedLines(data, price, parts, MILLION))
  if (String(micros) === data.amountMicros) return null
  return `the charge is not what its tokens cost at the recorded rates: ${shown(data.amountMicros)} millionths of a credit, where they cost ${micros}`
}

/** The tier is charged as the provider reports it, but never above the one that was requested, which only the operator knows. */
/** @type {(data: Record<string, any>, price: Price) => string | null} */
function factorFault({ serviceTier, tierFactor }, { tierFactors = {} }) {
  const factor = wholeNumber(tierFactor)
  const isPriced = typeof serviceTier === 'string' && Object.hasOwn(tierFactors, serviceTier)
  const reported = isPriced ? wholeNumber(tierFactors[serviceTier]) : MILLION
  const requested = [MILLION, ...Object.values(tierFactors).map(wholeNumber)].filter((most) => most >= MILLION)
  if (factor === reported || (factor < reported && requested.includes(factor))) return null
  return `the tier factor is ${factor}, where the price has ${reported} for the service tier ${shown(serviceTier)}`
}

/** The same counts are also beside the lines. */
/** @type {(data: Record<string, any>) => string | null} */
function partsFault({ lines, tokensIn, tokensOut, tokensCached, tokensCacheWrite }) {
  const counts = countsOf(lines)
  /** @type {(kinds: string[]) => number} */
  const sum = (kinds) => kinds.reduce((total, kind) => total + (counts.get(kind) ?? 0), 0)
  const cached = sum(['cachedInput'])
  const written = sum(['cacheWrite', 'cacheWrite1h'])
  if ((tokensCached ?? 0) !== cached) return `tokensCached is ${shown(tokensCached)}, where the lines have ${cached}`
  if ((tokensCacheWrite ?? 0) !== written)
    return `tokensCacheWrite is ${shown(tokensCacheWrite)}, where the lines have ${written}`
  if (sum(INPUT_PARTS) > tokensIn) return `the lines have more parts of the input than its ${shown(tokensIn)} tokens`
  if (sum(OUTPUT_PARTS) > tokensOut)
    return `the lines have more parts of the output than its ${shown(tokensOut)} tokens`
  return null
}

/** The count of each kind. */
/** @type {(lines: any[]) => Map<string, number>} */
const countsOf = (lines) => new Map(lines.map(({ kind, count }) => [String(kind), requireCount(count)]))

/** @type {(data: Record<string, any>, price: Price) => string | null} */
function linesFault(data, price) {
  const { lines, tierFactor, amountMicros } = data
  const expected = expectedLines(data, price, countsOf(lines), wholeNumber(tierFactor))
  const beyond = wholeNumber(amountMicros) - sumOf(expected)
  // How much was taken off is believed: the bound of the call is not on the ledger.
  if (lines.at(-1)?.kind === BEYOND_BOUND && beyond < 0n)
    expected.push({ kind: BEYOND_BOUND, count: 0, rate: '0', amount: beyond })
  for (let at = 0; at < Math.max(lines.length, expected.length); at += 1) {
    const [stated, computed] = [statedLine(lines[at]), lineText(expected[at])]
    if (stated !== computed) return `line ${at + 1} of the charge is ${stated}, where it has to be ${computed}`
  }
  const sum = sumOf(expected)
  return String(sum) === amountMicros ? null : `the charge is ${shown(amountMicros)}, where its lines add up to ${sum}`
}

/** @type {(line: any) => string} */
function statedLine(line) {
  if (line === undefined) return lineText(undefined)
  const { kind, count, rate, amountMicros, ...rest } = line
  const [other] = Object.keys(rest)
  if (other !== undefined) return `one with a field ${shown(other)}`
  return lineText({ kind, count, rate, amount: wholeNumber(amountMicros) })
}

/** @type {(line: ChargeLine | undefined) => string} */
const lineText = (line) =>
  line === undefined ? 'missing' : `${shown(line.kind)}: ${line.count} at ${shown(line.rate)} for ${line.amount}`

/** @type {(lines: ChargeLine[]) => bigint} */
const sumOf = (lines) => lines.reduce((sum, { amount }) => sum + amount, 0n)

/** The lines that follow from the counts: input, its parts, output, its parts, units by name, the fee of the call. */
/** @type {(data: Record<string, any>, price: Price, counts: Map<string, number>, factor: bigint) => ChargeLine[]} */
function expectedLines({ tokensIn, tokensOut }, price, counts, factor) {
  const rates = ratesFor(price, requireCount(tokensIn))
  /** @type {ChargeLine[]} */
  const lines = []
  let product = 0n
  let charged = 0n
  /** Each line is what the exact sum up to it, rounded up, adds to the lines before it: so the whole is rounded up once. */
  /** @type {(kind: string, count: number, rate: unknown, factor: bigint) => void} */
  const add = (kind, count, rate, factor) => {
    if (count === 0) return
    product += BigInt(count) * wholeNumber(rate) * factor
    const amount = (product + MILLION * MILLION - 1n) / (MILLION * MILLION) - charged
    charged += amount
    lines.push({ kind, count, rate: String(rate), amount })
  }
  /** @type {(whole: string, all: number, parts: string[]) => void} */
  const addTokens = (whole, all, parts) => {
    const plain = parts.reduce((left, kind) => left - (counts.get(kind) ?? 0), requireCount(all))
    for (const kind of [whole, ...parts]) {
      add(kind, kind === whole ? plain : (counts.get(kind) ?? 0), rateOf(rates, kind), factor)
    }
  }
  addTokens('input', tokensIn, INPUT_PARTS)
  addTokens('output', tokensOut, OUTPUT_PARTS)
  const isUnit = (/** @type {string} */ kind) =>
    !Object.hasOwn(PARENTS, kind) && kind !== 'call' && kind !== BEYOND_BOUND
  for (const unit of [...counts.keys()].filter(isUnit).sort()) {
    if (!Object.hasOwn(price.unitRates ?? {}, unit)) throw new Malformed(`the price has no rate for ${shown(unit)}`)
    add(unit, counts.get(unit) ?? 0, price.unitRates?.[unit], MILLION)
  }
  if (price.callMicros !== undefined) add('call', 1, wholeNumber(price.callMicros) * MILLION, MILLION)
  return lines
}

/** The rates for input of this size. */
/** @type {(price: Price, tokensIn: number) => Rates} */
function ratesFor({ rates, inputTiers = [] }, tokensIn) {
  const tier = inputTiers.findLast(({ tokens, inclusive }) => (inclusive ? tokensIn >= tokens : tokensIn > tokens))
  return tier?.rates ?? rates
}

/** @type {(rates: Rates, kind: string) => string} */
function rateOf(rates, kind) {
  const own = rates[kind]
  if (own !== undefined) return own
  const parent = PARENTS[kind]
  if (!parent) throw new Malformed(`the price has no rate for ${kind}`)
  return rateOf(rates, parent)
}

/** The price of a charge without its book. Earlier versions have five fields, with other names. */
/** @type {(price: any) => Price} */
function priceOf(applied) {
  if (typeof applied !== 'object' || applied === null) throw new Malformed('a price is missing')
  const { bookId: _bookId, ...price } = applied
  if (price.rates !== undefined) return price
  const rates = {
    input: price.inputMicrosPerMillionTokens,
    cachedInput: price.cachedInputMicrosPerMillionTokens,
    cacheWrite: price.cacheWriteMicrosPerMillionTokens,
    output: price.outputMicrosPerMillionTokens,
  }
  const { perCallMicros: callMicros } = price
  return withoutUndefined({ rates: withoutUndefined(rates), callMicros })
}

/** @type {(object: Record<string, any>) => any} */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** @type {(count: unknown) => number} */
function requireCount(count) {
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  throw new Malformed(`${shown(count)} is not a number of tokens or units`)
}

/** @type {(value: unknown) => string} */
const shown = (value) => (JSON.stringify(value) ?? 'missing').slice(0, 60)

const COMMON_LEDGER = 'ledger-00000000-0000-4000-8000-000000000000'

/** Why the book does not have the price of the charge; null if it does. */
/** @type {(charge: LoggedEvent, book: LoggedEvent) => string | null} */
function priceFault({ stream, data: charge }, book) {
  if (book.type !== 'PriceBookAnchored') return `the receipt has no price book, but an event of the type ${book.type}`
  const { bookId, bookCompanyId, effectiveFrom, prices } = book.data
  const texts = [charge.alias, charge.admittedAt, bookId, bookCompanyId ?? '', effectiveFrom]
  const other = texts.find((value) => typeof value !== 'string')
  if (other !== undefined) return `the charge or its price book has ${shown(other)} in place of a text`
  if (charge.price?.bookId !== bookId)
    return `the charge is priced by book ${shown(charge.price?.bookId)}, and the receipt has book ${shown(bookId)}`
  // A book is on the ledger of its company, or on that of the books of all companies.
  const owner = bookCompanyId === null ? COMMON_LEDGER : `ledger-${bookCompanyId}`
  if (book.stream !== owner || (owner !== COMMON_LEDGER && owner !== stream))
    return `price book ${bookId} on ${book.stream} has the prices of ${owner}, and the charge is on ${stream}`
  if (!(effectiveFrom <= charge.admittedAt))
    return `price book ${bookId} is in force from ${effectiveFrom}, and the call was admitted at ${charge.admittedAt}`
  const { alias } = charge
  if (!Object.hasOwn(prices ?? {}, alias)) return `price book ${bookId} has no price for ${shown(alias)}`
  return differenceOf(priceOf(charge.price), prices[alias], alias)
}

/** The first place where the price of the charge and that of the book differ; null if there is none. */
/** @type {(charged: any, book: any, place: string) => string | null} */
function differenceOf(charged, book, place) {
  const areObjects = [charged, book].every((value) => typeof value === 'object' && value !== null)
  if (!areObjects)
    return charged === book ? null : `${place} is ${shown(charged)} in the charge, and ${shown(book)} in the price book`
  for (const name of new Set([...Object.keys(charged), ...Object.keys(book)])) {
    const fault = differenceOf(charged[name], book[name], `${place} ${name}`)
    if (fault !== null) return fault
  }
  return null
}

// C2SP tlog-proof, tlog-checkpoint and signed-note.

/** @type {(text: string) => { index: number, inclusion: Uint8Array[], consistency: Consistency | null, note: string }} */
function parseProof(text) {
  if (typeof text !== 'string') throw new Malformed('this is not a tlog-proof')
  const end = text.indexOf('\n\n')
  const [version, ...lines] = text.slice(0, end).split('\n')
  const extra = lines[0]?.startsWith('extra ') ? lines.shift()?.slice('extra '.length) : undefined
  const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(lines.shift() ?? '') ?? []
  if (end === -1 || version !== 'c2sp.org/tlog-proof@v1' || index === undefined)
    throw new Malformed('this is not a tlog-proof')
  const consistency = extra === undefined ? null : parseConsistency(new TextDecoder().decode(fromBase64(extra)))
  return { index: Number(index), inclusion: lines.map(hashFromBase64), consistency, note: text.slice(end + 2) }
}

/** What the extra line of a proof holds: that the tree contains an older one. */
/** @type {(text: string) => Consistency} */
function parseConsistency(text) {
  const [head = '', ...lines] = text.split('\n')
  const [, size] = /^consistency (0|[1-9]\d{0,14})$/.exec(head) ?? []
  if (size === undefined || lines.pop() !== '') throw new Malformed('the extra line is not a proof of consistency')
  return { size: Number(size), path: lines.map(hashFromBase64) }
}

/** @type {(text: string) => Checkpoint} */
function parseCheckpoint(text) {
  const [origin, size = '', root = ''] = text.split('\n')
  if (!origin || !/^(0|[1-9]\d{0,14})$/.test(size)) throw new Malformed('this is not a checkpoint')
  return { origin, size: Number(size), root: hashFromBase64(root) }
}

/** @type {(note: string) => { text: string, signatures: { name: string, id: Uint8Array, signature: Uint8Array }[] }} */
function noteParts(note) {
  const end = note.lastIndexOf('\n\n') + 1
  const lines = note.slice(end + 1).split('\n')
  if (end === 0 || lines.pop() !== '') throw new Malformed('this is not a signed note')
  if (lines.length > SIGNATURES_MAX) throw new Malformed(`the note has more than ${SIGNATURES_MAX} signatures`)
  const signatures = lines.map((line) => {
    const [, name, base64] = /^— (\S+) (\S+)$/.exec(line) ?? []
    if (name === undefined || base64 === undefined) throw new Malformed('a signature line of the note is malformed')
    const bytes = fromBase64(base64)
    return { name, id: bytes.slice(0, 4), signature: bytes.slice(4) }
  })
  return { text: note.slice(0, end), signatures }
}

/** Why the checkpoint does not count as signed by the log; null if it does. */
/** @type {(note: string, origin: string, keys: Key[]) => Promise<string | null>} */
async function signatureFault(note, origin, keys) {
  const { origin: stated, size } = parseCheckpoint(noteParts(note).text)
  if (stated !== origin) return `the checkpoint is one of ${stated}, not of ${origin}`
  const signing = keys.filter(({ sizeMax }) => size <= sizeMax)
  if ((await timeOf(note, keys)) === undefined)
    return `the signature of ${origin} does not fit the time of the checkpoint`
  return noteFault(note, origin, signing, 'checkpoint')
}

/** When the log signed the checkpoint, by its own clock (C2SP tlog-cosignature): null if it does not say so, undefined if falsely. */
/** @type {(note: string, keys: Key[]) => Promise<string | null | undefined>} */
async function timeOf(note, keys) {
  const { text, signatures } = noteParts(note)
  let time = null
  for (const { name, id, signature } of signatures) {
    const key = keys.find((known) => known.name === name && equal(known.timedId, id))
    if (key === undefined) continue
    if (signature.length !== 72) return undefined
    const seconds = Number(new DataView(buffer(signature).buffer).getBigUint64(0))
    const signed = utf8(`cosignature/v1\ntime ${seconds}\n${text}`)
    const isSigned = await crypto.subtle.verify('Ed25519', key.publicKey, buffer(signature.slice(8)), buffer(signed))
    if (!isSigned || seconds > SECONDS_MAX) return undefined
    time = new Date(seconds * 1000).toISOString()
  }
  return time
}
/** A date has no more of them. */
const SECONDS_MAX = 8_640_000_000_000

/** Signed by the key that was replaced and by the new one, so that whoever knows one of them knows both. */
const ROTATION_VERSION = 'tollgate/key-rotation/v1'

/**
 * The keys that count: those that the reader has from elsewhere, and those that lead to them by rotations. A key that was replaced
 * counts only for trees that the log had then.
 */
/** @type {(vkeys: string[], published: string | undefined) => Promise<Key[]>} */
async function trustedKeys(vkeys, published) {
  const keys = await Promise.all(vkeys.map(parseVkey))
  if (published === undefined) return keys
  const notes = published.split(new RegExp(`^(?=${ROTATION_VERSION}$)`, 'm')).slice(1)
  const rotations = await Promise.all(notes.map(parseRotation))
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const { older, newer } of rotations) {
      const known = [older, newer].filter((key) => keys.some((one) => isSameKey(one, key)))
      if (known.length !== 1) continue
      keys.push(isSameKey(/** @type {Key} */ (known[0]), older) ? newer : older)
      isNew = true
    }
  }
  return keys.map((key) => {
    const ends = rotations.filter(({ older }) => isSameKey(older, key))
    if (ends.length > 1) throw new Malformed(`the key of ${key.name} has named two successors: it was misused`)
    const [end] = ends
    return end === undefined ? key : { ...key, sizeMax: end.size, until: end.at }
  })
}

/** @type {(a: Key, b: Key) => boolean} */
const isSameKey = (a, b) => a.name === b.name && equal(a.timedId, b.timedId) && equal(a.id, b.id)

/** @type {(text: string) => Promise<{ older: Key, newer: Key, size: number, at: string }>} */
async function parseRotation(text) {
  const note = `${text.trimEnd()}\n`
  const [version, ...lines] = noteParts(note).text.split('\n')
  const [, origin, old = '', next = '', size, at = ''] =
    /^origin (\S+)\nold (\S+)\nnew (\S+)\nsize (0|[1-9]\d{0,14})\nat (\S+)\n$/.exec(lines.join('\n')) ?? []
  if (version !== ROTATION_VERSION || origin === undefined) throw new Malformed('the rotation of a key is malformed')
  const [older, newer] = await Promise.all([parseVkey(old), parseVkey(next)])
  for (const key of [older, newer]) {
    const fault = await noteFault(note, origin, [key], 'rotation of a key')
    if (fault !== null) throw new Malformed(fault)
  }
  return { older, newer, size: Number(size), at }
}

/** Why the note does not count as signed; null if it does. During a key rotation one of two keys is enough. */
/** @type {(note: string, origin: string, keys: Key[], what: string) => Promise<string | null>} */
async function noteFault(note, origin, keys, what) {
  const { text, signatures } = noteParts(note)
  let isSigned = false
  for (const { name, id, publicKey } of keys) {
    if (name !== origin) continue
    const own = signatures.filter((signature) => signature.name === name && equal(signature.id, id))
    for (const { signature } of own) {
      const ok = await crypto.subtle.verify('Ed25519', publicKey, buffer(signature), buffer(utf8(text)))
      if (!ok) return `the signature of ${origin} does not fit the ${what}`
      isSigned = true
    }
  }
  return isSigned ? null : `no given key of ${origin} has signed the ${what}`
}

/** @type {(vkey: string) => Promise<Key>} */
async function parseVkey(vkey) {
  const [, name = '', hex = '', base64 = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(vkey) ?? []
  const key = fromBase64(base64)
  // The first byte stands for Ed25519.
  if (key.length !== 33 || key[0] !== 1) throw new Malformed(`${vkey} is not a verifier key for Ed25519`)
  const id = (await sha256(utf8(`${name}\n`), key)).slice(0, 4)
  if (id.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '') !== hex) {
    throw new Malformed(`the verifier key ${vkey} was altered: its parts do not belong together`)
  }
  // The same key signs checkpoints with their time, under another id.
  const timedId = (await sha256(utf8(`${name}\n`), Uint8Array.of(4), key.slice(1))).slice(0, 4)
  return {
    ...{ name, id, timedId, sizeMax: Number.POSITIVE_INFINITY, until: null },
    publicKey: await crypto.subtle.importKey('raw', buffer(key.slice(1)), 'Ed25519', false, ['verify']),
  }
}

// The tree. The two algorithms are those of RFC 9162, sections 2.1.3.2 and 2.1.4.2.

/** @type {(leaf: Uint8Array, index: number, size: number, path: Uint8Array[]) => Promise<Uint8Array | null>} */
export async function rootFromInclusion(leaf, index, size, path) {
  if (index >= size) return null
  let [node, last, root] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return null
    if (node % 2 === 1 || node === last) {
      root = await hashNode(sibling, root)
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      root = await hashNode(root, sibling)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 ? root : null
}

/** Why the newer tree does not contain the older one; null if it does. */
/** @type {(since: string, newer: Checkpoint, consistency: Consistency | null) => Promise<string | null>} */
async function sinceFault(since, newer, consistency) {
  const older = parseCheckpoint(noteParts(since).text)
  if (older.size === newer.size) {
    return equal(older.root, newer.root) ? null : `the log has signed two different trees of ${older.size} entries`
  }
  if (older.size > newer.size)
    return `the older checkpoint covers ${older.size} entries, more than this one's ${newer.size}`
  if (consistency?.size !== older.size) {
    return `there is no proof from ${older.size} entries on: request it again with since=${older.size}`
  }
  return (await isConsistent(older, newer, consistency.path))
    ? null
    : `the log no longer contains the ${older.size} entries that it signed`
}

/** @type {(older: Checkpoint, newer: Checkpoint, path: Uint8Array[]) => Promise<boolean>} */
export async function isConsistent(older, newer, path) {
  if (older.size === 0) return path.length === 0 && equal(older.root, await sha256())
  let [node, last] = [older.size - 1, newer.size - 1]
  while (node % 2 === 1) [node, last] = [half(node), half(last)]
  // If the old tree is a whole subtree of the new one, the proof leaves its root out.
  const [first, ...rest] = node === 0 ? [older.root, ...path] : path
  if (first === undefined) return false
  let [oldRoot, newRoot] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      ;[oldRoot, newRoot] = [await hashNode(sibling, oldRoot), await hashNode(sibling, newRoot)]
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else {
      newRoot = await hashNode(newRoot, sibling)
    }
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && equal(oldRoot, older.root) && equal(newRoot, newer.root)
}

/** @type {(leaf: Uint8Array) => Promise<Uint8Array>} */
const hashLeaf = (leaf) => sha256(Uint8Array.of(0), leaf)
/** @type {(left: Uint8Array, right: Uint8Array) => Promise<Uint8Array>} */
const hashNode = (left, right) => sha256(Uint8Array.of(1), left, right)
/** @type {(number: number) => number} */
const half = (number) => Math.floor(number / 2)

// Bytes.

/** @type {(text: string) => Uint8Array} */
const utf8 = (text) => new TextEncoder().encode(text)
/** @type {(bytes: Uint8Array) => Uint8Array<ArrayBuffer>} */
const buffer = (bytes) => new Uint8Array(bytes)
/** @type {(a: Uint8Array, b: Uint8Array) => boolean} */
const equal = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at])
/** @type {(bytes: Uint8Array) => string} */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))

/** @type {(...parts: Uint8Array[]) => Promise<Uint8Array>} */
async function sha256(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** Only the one way to write these bytes is accepted, so that nothing can be altered unseen. */
/** @type {(text: string) => Uint8Array} */
function fromBase64(text) {
  if (typeof text !== 'string') throw new Malformed('a text in base64 is missing')
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    if (toBase64(bytes) === text) return bytes
  } catch {}
  throw new Malformed(`${JSON.stringify(text.slice(0, 60))} is not base64`)
}

/** Hashes and salts have one length, so that no byte of one part can pass for a byte of the next. */
/** @type {(text: string) => Uint8Array} */
function hashFromBase64(text) {
  const bytes = fromBase64(text)
  if (bytes.length !== 32) throw new Malformed(`${JSON.stringify(text.slice(0, 60))} is not 32 bytes in base64`)
  return bytes
}

/** @type {(text: string) => any} */
function parseJson(text) {
  refuseUnboundedJson(text)
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Refuses what JSON.parse would take in without a bound, and names that an object repeats: JSON.parse keeps the last one, while other
 * readers may show the first. Whether the text is JSON at all is left to JSON.parse.
 */
/** @type {(text: string) => void} */
function refuseUnboundedJson(text) {
  /** For each open object its names, and null for a list. @type {(Set<string> | null)[]} */
  const open = []
  let values = 0
  let isName = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      const names = open.at(-1)
      if (isName && names) addName(names, text.slice(at, end + 1))
      isName = false
      at = end
    } else if (char === '{' || char === '[') {
      isName = char === '{'
      open.push(isName ? new Set() : null)
      if (open.length > JSON_DEPTH_MAX) throw new Malformed(`the JSON has more than ${JSON_DEPTH_MAX} levels`)
      values += 1
    } else if (char === '}' || char === ']') {
      open.pop()
    } else if (char === ',') {
      isName = open.at(-1) != null
      values += 1
    }
    if (values > JSON_VALUES_MAX) throw new Malformed(`the JSON has more than ${JSON_VALUES_MAX} values`)
  }
}

/** The place of the quotation mark that ends the string which begins here. */
/** @type {(text: string, start: number) => number} */
function endOfString(text, start) {
  let end = start
  let escapes
  do {
    end = text.indexOf('"', end + 1)
    if (end === -1) return text.length
    for (escapes = 0; text[end - 1 - escapes] === '\\'; ) escapes += 1
  } while (escapes % 2 === 1)
  return end
}

/** @type {(names: Set<string>, quoted: string) => void} */
function addName(names, quoted) {
  let name = quoted
  try {
    // A name may be written in two ways: "a" is also "\u0061".
    if (quoted.includes('\\')) name = JSON.stringify(JSON.parse(quoted))
  } catch {}
  if (names.has(name)) throw new Malformed(`an object of the JSON has the name ${name.slice(0, 60)} twice`)
  names.add(name)
}

// The command.

const HELP = `npm run check -- <file> --vkey <key> [--keys <file>] [--since <checkpoint file>] [--json]
node check.mjs <file> --vkey <key> [--keys <file>] [--since <checkpoint file>] [--json]

Checks a receipt or a statement (JSON, CSV or PDF) offline: that charges are their tokens and units at the recorded rates,
that the rates of a receipt are those of a price book in the log, that balances and totals add up, that the events as they
stand in the file are in the log, and that the log signed it. Reads nothing but the files named here.

  --vkey <key>     the log's public key; default: LOG_VKEY. Given twice, one of the two has to have signed
  --keys <file>    saved from /log/vkey: how keys of the log were replaced, signed by the old and the new one. What was signed
                   by another key than the one of --vkey then counts if the two are linked, and only within the key's time
  --since <file>   an older checkpoint of the log, saved from /log/checkpoint: checks that the log has kept what it
                   signed then. The file must have been requested with since=<its size>, unless the sizes are equal
  --json           prints one JSON document

Exit code: 0 everything holds, 1 something does not, 2 wrong usage.
`

/** @type {(args: string[], env: Record<string, string | undefined>) => Promise<{ code: number, out: string, error: string }>} */
export async function command(args, env) {
  const { parseArgs } = await import('node:util')
  /** @type {(error: unknown) => { code: number, out: string, error: string }} */
  const wrongUsage = (error) => {
    const reason = error instanceof Error ? error.message : String(error)
    return { code: 2, out: '', error: `${reason}\nusage: ${HELP.split('\n', 1)}\n` }
  }
  let values, text, since, keys, file
  try {
    const options = /** @type {const} */ ({
      vkey: { type: 'string', multiple: true },
      since: { type: 'string' },
      keys: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    })
    const parsed = parseArgs({ args, allowPositionals: true, options })
    values = parsed.values
    if (values.help) return { code: 0, out: HELP, error: '' }
    file = parsed.positionals[0]
    if (file === undefined || parsed.positionals.length > 1) return wrongUsage('one file is required')
    text = await readText(file, FILE_BYTES_MAX)
    since = values.since === undefined ? undefined : await readText(values.since, NOTE_BYTES_MAX)
    keys = values.keys === undefined ? undefined : await readText(values.keys, KEYS_BYTES_MAX)
  } catch (error) {
    return wrongUsage(error)
  }
  const vkeys = values.vkey ?? (env.LOG_VKEY ? [env.LOG_VKEY] : [])
  if (vkeys.length === 0) return wrongUsage("the log's public key is required: --vkey, or LOG_VKEY")
  try {
    if (text === null) throw tooLong(FILE_BYTES_MAX)
    if (since === null)
      throw new Malformed(`${values.since} is not a checkpoint: it has more than ${NOTE_BYTES_MAX} bytes`)
    if (keys === null)
      throw new Malformed(`${values.keys} is not from /log/vkey: it has more than ${KEYS_BYTES_MAX} bytes`)
    const more = { ...(since === undefined ? {} : { since }), ...(keys === undefined ? {} : { keys }) }
    const result = await check(text, { vkeys, ...more })
    const out = values.json ? `${JSON.stringify({ file, ...result }, null, 2)}\n` : resultText(result)
    return { code: result.ok ? 0 : 1, out, error: '' }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    const out = values.json ? `${JSON.stringify({ file, ok: false, malformed: error.message }, null, 2)}\n` : ''
    return { code: 1, out, error: `${file} or a key is malformed: ${error.message}\n` }
  }
}

/** The text of a file; null if it is longer than this, which is found out before more of it is read. */
/** @type {(file: string, bytesMax: number) => Promise<string | null>} */
async function readText(file, bytesMax) {
  const { open } = await import('node:fs/promises')
  const handle = await open(file)
  try {
    if ((await handle.stat()).size > bytesMax) return null
    const chunks = []
    let bytes = 0
    // A pipe or a device has no size.
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) return null
    }
    return Buffer.concat(chunks).toString()
  } finally {
    await handle.close()
  }
}

/** @type {(result: ReceiptResult | StatementResult) => string} */
function resultText(result) {
  const stateOf = (/** @type {Check} */ { ok, missing }) => (missing ? 'absent' : ok ? 'ok    ' : 'FAILED')
  const lines = result.checks.map((done) => `${stateOf(done)}  ${done.name.padEnd(9)}  ${done.detail}`)
  return [titleOf(result), ...lines, result.ok ? 'verified' : 'NOT VERIFIED', ''].join('\n')
}

/** @type {(result: ReceiptResult | StatementResult) => string} */
function titleOf(result) {
  if (result.kind === 'receipt') {
    const { type, id, stream, number } = result.event
    return `${type} ${id}, entry ${number} of ${stream}`
  }
  const { companyId, from, to, first, count, opening, closing } = result.statement
  const range = count === 0 ? 'no entries' : `entries ${first} to ${Number(first) + Number(count) - 1}`
  return `Statement of ${companyId} from ${from} to ${to}: ${range}, opening ${opening}, closing ${closing} (millionths)`
}

// In a browser, and where another program imports this file, nothing of the command runs.
const { process } = globalThis
if (process?.argv !== undefined && (import.meta.main ?? process.argv[1] === import.meta.filename)) {
  const { code, out, error } = await command(process.argv.slice(2), process.env)
  process.stdout.write(out)
  process.stderr.write(error)
  process.exitCode = code
}
