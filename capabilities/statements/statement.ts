import type { Engines } from '../../platform/engines.ts'
import type { StatementProof } from './statementProof.ts'
import type { StatementRange } from './statementRange.ts'

/** Everything needed to write a statement. */
export type Statement = {
  readonly engines: Pick<Engines, 'database' | 'storeAsWritten'>
  readonly range: StatementRange
  readonly proof: StatementProof
  /** ISO 8601; after the proof was made. */
  readonly madeAt: string
  /** The note over the text, signed with the keys of the log. */
  sign(text: string): string
  /** Called with the number of entries written so far. */
  readonly onEntries?: (count: number) => void
}

/** A statement in one of its formats, in pieces. */
export type StatementChunks = AsyncGenerator<Buffer>
