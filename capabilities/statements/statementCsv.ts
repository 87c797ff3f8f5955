import { createHash } from 'node:crypto'
import { formatCredits } from '../../domain/credits.ts'
import type { StatementLine } from '../../domain/statement/line.ts'
import { StatementTotals, TOTAL_KINDS, type TotalKind } from '../../domain/statement/totals.ts'
import type { Statement, StatementChunks } from './statement.ts'
import { statementPages } from './statementLines.ts'
import { statementNoteText } from './statementNote.ts'

/** All rows have all columns (RFC 4180): entries, balances, totals, and the lines of note and proof at the end. */
const COLUMNS = [
  ...['type', 'number', 'time', 'credits', 'balance', 'alias', 'key', 'label'],
  ...['tokens_in', 'tokens_out', 'call', 'description', 'id'],
] as const
export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`
/** The second column of a total is the number of its entries; its name is in the same column as in entries. */
const TOTAL_ROWS: Readonly<Record<TotalKind, { readonly type: string; readonly column: number }>> = {
  byType: { type: 'TOTAL_TYPE', column: 11 },
  byAlias: { type: 'TOTAL_ALIAS', column: 5 },
  byKey: { type: 'TOTAL_KEY', column: 6 },
  byLabel: { type: 'TOTAL_LABEL', column: 7 },
}

/**
 * The note covers all rows before its own; the checker reads both from the same file. The proof of the last entry
 * follows it.
 */
export async function* statementCsv(statement: Statement): StatementChunks {
  const { range, proof, madeAt, sign } = statement
  const hash = createHash('sha256')
  const counted = (text: string): Buffer => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    return bytes
  }
  const totals = new StatementTotals()
  const { from, to, openingMicros, closingMicros, companyId } = range
  yield counted(
    CSV_HEADER + row(['OPENING', '', from, '', formatCredits(openingMicros), '', '', '', '', '', '', companyId]),
  )
  for await (const page of statementPages(statement)) {
    let text = ''
    for (const { line } of page) {
      totals.add(line)
      text += csvLine(line)
    }
    yield counted(text)
  }
  let end = row(['CLOSING', String(range.count), to, '', formatCredits(closingMicros)])
  for (const kind of TOTAL_KINDS) {
    const { type, column } = TOTAL_ROWS[kind]
    for (const { name, entries, deltaMicros } of totals.of(kind)) {
      const cells = [type, String(entries), '', formatCredits(deltaMicros)]
      cells[column] = textCell(name)
      end += row(cells)
    }
  }
  yield counted(end)
  const note = sign(statementNoteText(range, { format: 'csv', madeAt, sha256: hash.digest(), last: proof.last }))
  // A proof of an earlier entry would not help: only a JSON statement contains what leads from there to the last one.
  yield Buffer.from(linesOf('NOTE', note) + (proof.last === null ? '' : linesOf('PROOF', proof.proof ?? '')))
}

/** A row that is not an entry but says why there are no more. */
export function csvError(text: string): string {
  return row(['ERROR', textCell(text)])
}

export function csvLine({
  type,
  number,
  time,
  deltaMicros,
  balanceMicros,
  call,
  description,
  id,
}: StatementLine): string {
  const money = `${type},${number},${time},${formatCredits(deltaMicros)},${formatCredits(balanceMicros)}`
  const said = description === null ? '' : textCell(description)
  if (call === null) return `${money},,,,,,,${said},${id}\r\n`
  const label = call.label === null ? '' : textCell(call.label)
  const tokens = `${call.tokensIn ?? ''},${call.tokensOut ?? ''}`
  return `${money},${textCell(call.alias)},${call.keyId},${label},${tokens},${call.callId},${said},${id}\r\n`
}

/**
 * Spreadsheets take a cell that begins with one of these characters for a formula, unless an apostrophe precedes it. A
 * leading apostrophe gets another one, so that different texts stay different. Line breaks become spaces, so that a row
 * is one line.
 */
export function textCell(text: string): string {
  const line = /[\p{Cc}\u2028\u2029]/u.test(text) ? text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ') : text
  const guarded = /^[\s]*[=+\-@']/.test(line) ? `'${line}` : line
  return quoted(guarded)
}

/** Each line of a text as a row, in the second column, after a bar: some begin like a formula. */
function linesOf(type: string, text: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.map((line) => row([type, quoted(`|${line}`)])).join('')
}

const quoted = (cell: string): string => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function row(cells: readonly (string | undefined)[]): string {
  return `${Array.from(COLUMNS, (_, column) => cells[column] ?? '').join(',')}\r\n`
}
