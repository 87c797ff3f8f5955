import type { Bill } from './bill.ts'

const LINES_PER_PAGE = 46
const LINE_CHARS_MAX = 95
const FIRST_LINE_Y = 780
const LEADING = 16

/** The invoice as a PDF document: text in one of the fonts that every reader has. */
export function invoicePdf(bill: Bill): Buffer {
  const lines = [
    'SANDBOX - no real invoice',
    bill.title,
    `Amount due: ${bill.amount}`,
    ...(bill.note === null ? [] : [bill.note]),
    `Reference: ${bill.reference}`,
    '',
    ...bill.lines.map(({ what, amount }) => `${amount}   ${what}`),
  ]
  const pages = Array.from({ length: Math.ceil(lines.length / LINES_PER_PAGE) }, (_, page) =>
    lines.slice(page * LINES_PER_PAGE, (page + 1) * LINES_PER_PAGE),
  )
  const pageIds = pages.map((_, page) => 4 + 2 * page)
  return documentOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      streamOf(page),
    ]),
  ])
}

function streamOf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const content = `BT /F1 11 Tf ${LEADING} TL 48 ${FIRST_LINE_Y} Td\n${shown}\nET`
  return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Characters outside of the font's encoding are shown as question marks. */
function escaped(text: string): string {
  const latin = text.slice(0, LINE_CHARS_MAX).replace(/[^\x20-\x7e\xa1-\xff]/g, '?')
  return latin.replace(/[\\()]/g, (character) => `\\${character}`)
}

function documentOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const places = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places}`
  text += `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  // One byte for each character, as the offsets count them.
  return Buffer.from(text, 'latin1')
}
