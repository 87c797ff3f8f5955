import type { Engines } from '../../platform/engines.ts'
import type { StatementProof } from './statementProof.ts'
import type { StatementRange } from './statementRange.ts'

/** Everything that a statement is written from. */
export type Statement = {
  readonly engines: Pick<Engines, 'database' | 'storeAsWritten'>
  readonly range: StatementRange
  readonly proof: StatementProof
  /** ISO 8601; after the proof was made. */
  readonly madeAt: string
  /** The note over the text, signed by the keys of the log. */
  sign(text: string): string
  /** Is told how many entries were written so far. */
  readonly onEntries?: (count: number) => void
}

/** A statement in one of its formats, in pieces. */
export type StatementChunks = AsyncGenerator<Buffer>
