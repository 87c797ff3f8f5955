import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { formatCredits } from '../../domain/credits.ts'
import { StatementTotals, TOTAL_KINDS } from '../../domain/statement/totals.ts'
import type { Statement, StatementChunks } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { statementFileName } from './statementFormat.ts'
import { statementPages } from './statementLines.ts'
import { detailsOf, provenText, TOTAL_TITLES } from './statementText.ts'

const FONTS = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf')
const MARGIN = 40
const ROW_HEIGHT = 12
const TEXT_SIZE = 7.5
/** How many rows are drawn before other requests get their turn. */
const ROWS_PER_TURN = 50
type Column = { readonly title: string; readonly x: number; readonly width: number; readonly align: 'left' | 'right' }
const column = (title: string, x: number, width: number, align: Column['align'] = 'left'): Column => ({
  ...{ title, x, width, align },
})
/** The width of A4 is 595 points. */
const ENTRY_COLUMNS = [
  column('No.', MARGIN, 42, 'right'),
  column('Stored (UTC)', 90, 100),
  column('Type', 192, 70),
  column('Details', 264, 116),
  column('Credits', 384, 83, 'right'),
  column('Balance', 471, 84, 'right'),
]
const TOTAL_COLUMNS = [
  column('Name', MARGIN, 230),
  column('Entries', 280, 80, 'right'),
  column('Credits', 404, 151, 'right'),
]

/**
 * A statement to be read and printed. The signed CSV of the same entries is attached, uncompressed, so that the checker
 * finds it in the file.
 */
export async function* statementPdf(statement: Statement, companyName: string): StatementChunks {
  const { range, proof, madeAt } = statement
  const csv: Buffer[] = []
  for await (const chunk of statementCsv(statement)) csv.push(chunk)
  const title = `Statement ${range.from.slice(0, 10)} to ${range.to.slice(0, 10)}`
  const document = new PDFDocument({ size: 'A4', margin: MARGIN, autoFirstPage: false, info: { Title: title } })
  const page = new Sheet(document, `${companyName}, ${range.companyId}`)
  page.heading(title, [
    companyName,
    `Company ${range.companyId}`,
    `From ${range.from} to ${range.to} (exclusive), by when entries were stored`,
    range.count === 0 ? 'No entries' : `Entries ${range.first} to ${range.first + range.count - 1} of the ledger`,
    `Opening balance ${formatCredits(range.openingMicros)} credits, closing balance ${formatCredits(range.closingMicros)} credits`,
    `Made at ${madeAt}. ${provenText(proof.proven, range.first + range.count - 1, range.count)}`,
    'The attached CSV is signed. Check it with: npm run check -- <this file> --vkey <key of the log>',
  ])
  const totals = new StatementTotals()
  page.table(ENTRY_COLUMNS)
  page.row(['', shownTime(range.from), 'OPENING', '', '', formatCredits(range.openingMicros)], true)
  let rows = 0
  for await (const entries of statementPages(statement)) {
    for (const { line } of entries) {
      totals.add(line)
      const { number, time, type, deltaMicros, balanceMicros } = line
      const credits = [formatCredits(deltaMicros), formatCredits(balanceMicros)]
      page.row([String(number), shownTime(time), type, detailsOf(line), ...credits])
      rows += 1
      if (rows % ROWS_PER_TURN !== 0) continue
      yield* written(document)
      await yieldToEventLoop()
    }
  }
  page.row(['', shownTime(range.to), 'CLOSING', '', '', formatCredits(range.closingMicros)], true)
  for (const kind of TOTAL_KINDS) {
    const sums = totals.of(kind)
    if (sums.length === 0) continue
    page.table(TOTAL_COLUMNS, TOTAL_TITLES[kind])
    for (const { name, entries, deltaMicros } of sums) page.row([name, String(entries), formatCredits(deltaMicros)])
  }
  page.end()
  document.compress = false
  document.file(Buffer.concat(csv), { name: statementFileName(range, 'pdf').replace(/pdf$/, 'csv'), type: 'text/csv' })
  document.end()
  for await (const chunk of document) yield chunk as Buffer
}

/** What the library has written so far. */
function* written(document: PDFKit.PDFDocument): Generator<Buffer> {
  for (let chunk = document.read(); chunk !== null; chunk = document.read()) yield chunk as Buffer
}

const shownTime = (time: string): string => time.replace('T', ' ').replace('Z', '')

/** Draws tables row by row, on as many pages as they need. */
class Sheet {
  readonly #document: PDFKit.PDFDocument
  readonly #footer: string
  readonly #knows: (text: string) => boolean
  #columns: readonly Column[] = []
  #y = 0
  #page = 0

  constructor(document: PDFKit.PDFDocument, footer: string) {
    this.#document = document
    document.registerFont('regular', join(FONTS, 'DejaVuSansCondensed.ttf'))
    document.registerFont('bold', join(FONTS, 'DejaVuSansCondensed-Bold.ttf'))
    document.font('regular')
    // The library has no type for an opened font.
    const { font } = (document as unknown as { _font: { font: { hasGlyphForCodePoint(point: number): boolean } } })
      ._font
    const known = new Map<number, boolean>()
    this.#knows = (char) => {
      const point = char.codePointAt(0) ?? 0
      const is = known.get(point) ?? font.hasGlyphForCodePoint(point)
      known.set(point, is)
      return is
    }
    this.#footer = this.#shown(footer)
  }

  heading(title: string, lines: readonly string[]): void {
    this.#turn()
    this.#document.font('bold').fontSize(16).text(title, MARGIN, this.#y, { lineBreak: false })
    this.#y += 28
    this.#document.font('regular').fontSize(9)
    for (const line of lines) {
      this.#document.text(this.#shown(line), MARGIN, this.#y, { width: 515, height: 11, ellipsis: true })
      this.#y += 13
    }
    this.#y += 10
  }

  table(columns: readonly Column[], title?: string): void {
    this.#columns = columns
    if (this.#y + 5 * ROW_HEIGHT > this.#bottom) this.#turn()
    if (title !== undefined) {
      this.#y += ROW_HEIGHT
      this.#document.font('bold').fontSize(10).text(title, MARGIN, this.#y, { lineBreak: false })
      this.#y += ROW_HEIGHT + 4
    }
    this.#titles()
  }

  row(cells: readonly string[], isBold = false): void {
    if (this.#y + ROW_HEIGHT > this.#bottom) {
      this.#turn()
      this.#titles()
    }
    this.#document.font(isBold ? 'bold' : 'regular').fontSize(TEXT_SIZE)
    for (const [at, cell] of cells.entries()) this.#cell(cell, at)
    this.#y += ROW_HEIGHT
  }

  end(): void {
    this.#foot()
  }

  get #bottom(): number {
    return this.#document.page.height - MARGIN - 2 * ROW_HEIGHT
  }

  #titles(): void {
    this.#document.font('bold').fontSize(TEXT_SIZE)
    for (const [at, { title }] of this.#columns.entries()) this.#cell(title, at)
    this.#y += ROW_HEIGHT
    this.#document
      .moveTo(MARGIN, this.#y - 2)
      .lineTo(this.#document.page.width - MARGIN, this.#y - 2)
      .lineWidth(0.5)
      .stroke()
    this.#y += 2
  }

  #cell(cell: string, at: number): void {
    const place = this.#columns[at]
    if (cell === '' || !place) return
    if (place.align === 'left') {
      this.#document.text(this.#fitting(this.#shown(cell), place.width), place.x, this.#y, { lineBreak: false })
      return
    }
    // Numbers are never shortened.
    const width = this.#document.widthOfString(cell)
    const size = width > place.width ? (TEXT_SIZE * place.width) / width : TEXT_SIZE
    const left = place.x + place.width - Math.min(width, place.width)
    this.#document.fontSize(size).text(cell, left, this.#y, { lineBreak: false }).fontSize(TEXT_SIZE)
  }

  /** Shortens text that is too wide. */
  #fitting(text: string, width: number): string {
    let fitting = text
    while (fitting.length > 1 && this.#document.widthOfString(fitting) > width) {
      const share = width / this.#document.widthOfString(fitting)
      fitting = `${fitting.slice(0, Math.max(0, Math.min(fitting.length - 2, Math.floor(fitting.length * share) - 1)))}…`
    }
    return fitting
  }

  /** Letters missing in the font appear as a box instead of as nothing. */
  #shown(text: string): string {
    let shown = ''
    for (const char of text) shown += this.#knows(char) ? char : '\u25a1'
    return shown
  }

  #turn(): void {
    if (this.#page > 0) this.#foot()
    this.#document.addPage()
    this.#page += 1
    this.#y = MARGIN
  }

  #foot(): void {
    const y = this.#document.page.height - MARGIN - ROW_HEIGHT
    const page = `Page ${this.#page}`
    this.#document.font('regular').fontSize(TEXT_SIZE)
    this.#document.text(this.#fitting(this.#footer, 430), MARGIN, y, { lineBreak: false })
    const left = this.#document.page.width - MARGIN - this.#document.widthOfString(page)
    this.#document.text(page, left, y, { lineBreak: false })
  }
}
