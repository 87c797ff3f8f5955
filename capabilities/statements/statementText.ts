import { formatCredits } from '../../domain/credits.ts'
import type { StatementLine } from '../../domain/statement/line.ts'
import { StatementTotals, TOTAL_KINDS, type TotalKind } from '../../domain/statement/totals.ts'
import type { Statement, StatementChunks } from './statement.ts'
import { statementPages } from './statementLines.ts'

export const TOTAL_TITLES: Readonly<Record<TotalKind, string>> = {
  byType: 'By type',
  byAlias: 'Calls by model',
  byKey: 'Calls by key',
  byLabel: 'Calls by label',
}

/** For people, on a terminal. It is not signed. */
export async function* statementText(statement: Statement): StatementChunks {
  const { range, proof } = statement
  const { companyId, from, to, first, count, openingMicros, closingMicros } = range
  const entries = count === 0 ? 'no entries' : `entries ${first} to ${first + count - 1}`
  yield Buffer.from(
    `Statement of company ${companyId}\nfrom ${from} to ${to} (exclusive), ${entries}\n\n` +
      textRow('', from, 'OPENING', '', openingMicros, ''),
  )
  const totals = new StatementTotals()
  for await (const page of statementPages(statement)) {
    let text = ''
    for (const { line } of page) {
      totals.add(line)
      const { number, time, type, deltaMicros, balanceMicros } = line
      text += textRow(String(number), time, type, formatCredits(deltaMicros), balanceMicros, detailsOf(line))
    }
    yield Buffer.from(text)
  }
  let end = textRow('', to, 'CLOSING', '', closingMicros, '')
  for (const kind of TOTAL_KINDS) {
    const sums = totals.of(kind)
    if (sums.length > 0) end += `\n${TOTAL_TITLES[kind]}\n`
    for (const { name, entries, deltaMicros } of sums) {
      end += `${name.padEnd(38)}${String(entries).padStart(10)}${formatCredits(deltaMicros).padStart(22)}\n`
    }
  }
  yield Buffer.from(`${end}\n${provenText(proof.proven, range.first + range.count - 1, count)}\n`)
}

export function provenText(proven: number | null, last: number, count: number): string {
  if (count === 0) return 'There is no entry to be proven.'
  if (proven === last) return 'A signed checkpoint of the log covers all entries.'
  return proven === null
    ? 'No checkpoint of the log covers these entries yet.'
    : `Checkpoints of the log cover the entries up to ${proven} so far.`
}

/** A summary of an entry for people, on one line. */
export function detailsOf({ call, description }: StatementLine): string {
  const parts = [call?.alias, call?.label, description].filter((part) => part != null)
  return parts.join(', ').replaceAll(/\p{Cc}/gu, ' ')
}

function textRow(
  number: string,
  time: string,
  type: string,
  credits: string,
  balance: bigint,
  details: string,
): string {
  const money = `${credits.padStart(18)}${formatCredits(balance).padStart(20)}`
  return `${number.padStart(9)}  ${time}  ${type.padEnd(13)}${money}  ${details}`.trimEnd().concat('\n')
}
