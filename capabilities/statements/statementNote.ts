import type { StatementRange } from './statementRange.ts'

/** No checkpoint begins with it, because it is not an origin, nor does anything else that the log's keys sign. */
export const STATEMENT_VERSION = 'tollgate/statement/v2'

export type SignedContent = {
  readonly format: 'json' | 'csv'
  /** ISO 8601; when the statement was made. */
  readonly madeAt: string
  /** SHA-256 of the content; the format defines which bytes that is. */
  readonly sha256: Uint8Array
  /** The last entry of the range in the log; null if there is none or it is not in the log yet. */
  readonly last: Uint8Array | null
}

/** The part of a statement that the log's keys sign, so that neither its lines nor its balances can be replaced. */
export function statementNoteText(range: StatementRange, { format, madeAt, sha256, last }: SignedContent): string {
  const { companyId, from, to, first, count, openingMicros, closingMicros } = range
  return [
    STATEMENT_VERSION,
    `made ${madeAt}`,
    `company ${companyId}`,
    `from ${from}`,
    `to ${to}`,
    `first ${first}`,
    `count ${count}`,
    `opening ${openingMicros}`,
    `closing ${closingMicros}`,
    `last ${last === null ? '-' : Buffer.from(last).toString('base64')}`,
    `${format} ${Buffer.from(sha256).toString('base64')}`,
    '',
  ].join('\n')
}
