import type { StatementChunks } from './statement.ts'
import { csvError } from './statementCsv.ts'
import type { StatementFormat } from './statementFormat.ts'

const INCOMPLETE = 'this statement is incomplete, because its source failed: do not use it, request it again'

/** In a form that every reader of the format shows or refuses. Without a note, the checker refuses it. */
const ERROR_LINES: Readonly<Record<StatementFormat | 'text', string>> = {
  text: `\nERROR: ${INCOMPLETE}\n`,
  csv: csvError(INCOMPLETE),
  // Every piece but the last ends within the list of entries.
  json: `\n  ],\n  "error": ${JSON.stringify(INCOMPLETE)}\n}\n`,
  pdf: `\n%ERROR: ${INCOMPLETE}\n`,
}

/**
 * The pieces of a statement. If it fails, a last piece says so before the error is thrown: a reader that does not
 * notice how the transfer ended must not take a part for the whole.
 */
export async function* withErrorLine(pieces: StatementChunks, format: StatementFormat | 'text'): StatementChunks {
  let hasBegun = false
  try {
    for await (const piece of pieces) {
      hasBegun = true
      yield piece
    }
  } catch (error) {
    if (hasBegun) yield Buffer.from(ERROR_LINES[format])
    throw error
  }
}
