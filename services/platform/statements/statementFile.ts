import type { Statement, StatementChunks } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { requireFormat, type StatementFormat } from './statementFormat.ts'
import { statementJson } from './statementJson.ts'

/** The pieces of the file. Nothing is read before the first one is asked for. */
export async function openStatementFile(
  statement: Statement,
  format: StatementFormat,
  companyName: string,
): Promise<StatementChunks> {
  requireFormat(format, statement.range)
  if (format === 'json') return statementJson(statement)
  if (format === 'csv') return statementCsv(statement)
  // The library is large, and few statements need it.
  const { statementPdf } = await import('./statementPdf.ts')
  return statementPdf(statement, companyName)
}
