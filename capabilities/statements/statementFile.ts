import type { Statement, StatementChunks } from './statement.ts'
import { statementCsv } from './statementCsv.ts'
import { withErrorLine } from './statementError.ts'
import { requireFormat, type StatementFormat } from './statementFormat.ts'
import { statementJson } from './statementJson.ts'
import { statementText } from './statementText.ts'

/** The pieces of the file. Nothing is read before the first one is requested. After a failure, the last piece says so. */
export async function openStatementFile(
  statement: Statement,
  format: StatementFormat | 'text',
  companyName: string,
): Promise<StatementChunks> {
  return withErrorLine(await piecesOf(statement, format, companyName), format)
}

async function piecesOf(
  statement: Statement,
  format: StatementFormat | 'text',
  companyName: string,
): Promise<StatementChunks> {
  if (format === 'text') return statementText(statement)
  requireFormat(format, statement.range)
  if (format === 'json') return statementJson(statement)
  if (format === 'csv') return statementCsv(statement)
  // The library is large, and few statements need it.
  const { statementPdf } = await import('./statementPdf.ts')
  return statementPdf(statement, companyName)
}
