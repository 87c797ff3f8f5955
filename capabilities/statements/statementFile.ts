import type { Statement, StatementChunks } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { withErrorLine } from './statementError.ts'
import { requireFormat, type StatementFormat } from './statementFormat.ts'
import { statementJson } from './statementJson.ts'

/** The pieces of the file. Nothing is read before the first one is asked for. If that fails later, the last one says so. */
export async function openStatementFile(
  statement: Statement,
  format: StatementFormat,
  companyName: string,
): Promise<StatementChunks> {
  requireFormat(format, statement.range)
  if (format === 'json') return withErrorLine(statementJson(statement), format)
  if (format === 'csv') return withErrorLine(statementCsv(statement), format)
  // The library is large, and few statements need it.
  const { statementPdf } = await import('./statementPdf.ts')
  return withErrorLine(statementPdf(statement, companyName), format)
}
