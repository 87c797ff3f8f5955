import { StatementTotals, TOTAL_KINDS } from '../../domain/statement/totals.ts'
import { canonicalJson } from '../transparency/canonicalJson.ts'
import { entryOf, entrySource } from '../transparency/entry.ts'
import { type Hash, sha256 } from '../transparency/hashes.ts'
import type { Statement, StatementChunks } from './statement.ts'
import { LedgerChanged, statementPages } from './statementLines.ts'
import { STATEMENT_VERSION, statementNoteText } from './statementNote.ts'

const base64 = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('base64')

/**
 * Every entry as the log records it, so that the checker can recompute the chain up to the last one, which is in the
 * note and, by the proof, in the log. The note covers everything except entries, proof and note.
 */
export async function* statementJson(statement: Statement): StatementChunks {
  const { range, proof, madeAt, sign } = statement
  const { companyId, from, to, first, count } = range
  const head = {
    ...{ statement: STATEMENT_VERSION, madeAt, companyId, from, to, first, count },
    openingMicros: range.openingMicros.toString(),
    closingMicros: range.closingMicros.toString(),
    previous: base64(proof.previous),
    last: base64(proof.last),
    proven: proof.proven,
  }
  yield Buffer.from(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "entries": [`)
  const totals = new StatementTotals()
  let previous: Hash | null = proof.previous
  let separator = '\n'
  for await (const page of statementPages(statement)) {
    let text = ''
    for (const { line, stored } of page) {
      totals.add(line)
      // Without a secret the company has no entry in the log yet, and withheld fields must not be shown.
      const source = proof.secret && entrySource(stored, { number: line.number, previous }, proof.secret)
      previous = source && entryOf(source)
      const shown = source ? { event: source.event, salt: base64(source.salt) } : { event: null, salt: null }
      text += `${separator}    ${JSON.stringify({ ...shown, balanceMicros: line.balanceMicros.toString() })}`
      separator = ',\n'
    }
    yield Buffer.from(text)
  }
  if (proof.last !== null && previous !== null && Buffer.compare(previous, proof.last) !== 0) {
    throw new LedgerChanged(`the ledger of company ${companyId} does not match its log: run "npm run audit"`)
  }
  const sums = Object.fromEntries(
    TOTAL_KINDS.map((kind) => [
      kind,
      totals
        .of(kind)
        .map(({ name, entries, deltaMicros }) => ({ name, entries, amountMicros: deltaMicros.toString() })),
    ]),
  )
  const content = sha256(canonicalJson({ ...head, totals: sums }))
  const note = sign(statementNoteText(range, { format: 'json', madeAt, sha256: content, last: proof.last }))
  const end = { totals: sums, proof: proof.proof, note }
  yield Buffer.from(`${count === 0 ? '' : '\n  '}],\n${JSON.stringify(end, null, 2).slice(2)}\n`)
}
