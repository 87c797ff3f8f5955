import { InvalidPeriod, type StatementRange } from './statementRange.ts'

export const STATEMENT_FORMATS = ['json', 'csv', 'pdf'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

export const STATEMENT_TYPES: Readonly<Record<StatementFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  pdf: 'application/pdf',
}

/** PDFs are for people. The library needs time for each line. */
export const PDF_LINES_MAX = 20_000

/** Throws if a statement of this range cannot have the format. */
export function requireFormat(format: StatementFormat, { count }: Pick<StatementRange, 'count'>): void {
  if (format !== 'pdf' || count <= PDF_LINES_MAX) return
  throw new InvalidPeriod(
    `a PDF has at most ${PDF_LINES_MAX} entries, and this time has ${count}: use the format csv, or a shorter time`,
  )
}

/** For example statement-11111111-2026-10-01-2026-11-01.csv; times other than midnight are written out. */
export function statementFileName({ companyId, from, to }: StatementRange, format: StatementFormat): string {
  const short = (time: string) => time.replace('T00:00:00.000Z', '').replaceAll(':', '').replace('.000Z', 'Z')
  return `statement-${companyId.slice(0, 8)}-${short(from)}-${short(to)}.${format}`
}
