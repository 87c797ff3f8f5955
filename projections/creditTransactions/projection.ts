import type { Recorded } from '../../contracts/envelope.ts'
import { changesBalance, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { occurredAt } from '../../domain/ledger/decider.ts'
import { statementLine } from '../../domain/statement/line.ts'
import type { Projection } from '../projection.ts'

export type CreditTransactionRow = {
  readonly transactionId: string
  readonly companyId: string
  /** The revision in the company's ledger stream, which gives the same order in every store. */
  readonly revision: string
  readonly type: string
  /** Signed: credits added are positive, credits taken are negative. */
  readonly amountMicros: string
  readonly callId: string | null
  readonly keyId: string | null
  readonly alias: string | null
  readonly tokensIn: string | null
  readonly tokensOut: string | null
  readonly reason: string | null
  /** The transaction that an adjustment corrects. */
  readonly corrects: string | null
  readonly occurredAt: string
}

/** One row for each event that changed a balance; failed calls and closes of months have none. */
export const creditTransactions: Projection<CreditTransactionRow, LedgerEvent> = {
  name: 'credit-transactions',
  version: 4,
  categories: ['ledger'],
  table: 'credit_transactions',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not the transaction id: ids are random, and writing to random places of an index costs as much as the rest of the row.
  key: ['companyId', 'revision'],
  insertOnly: true,
  rowsOf: (event) => (changesBalance(event) ? [placeOf(event)] : []),
  evolve: (row, event) => row ?? transactionOf(event),
}

function placeOf({ data, revision }: Recorded<LedgerEvent>) {
  return { companyId: data.companyId, revision: String(revision) }
}

/** A transaction does not depend on the position of the line or its balance. */
const NO_PLACE = { number: 0, id: '', time: '', balanceMicros: 0n }

function transactionOf(event: Recorded<LedgerEvent>): CreditTransactionRow {
  if (!changesBalance(event)) throw new Error(`${event.type} ${event.id} is not a transaction`)
  const { type, deltaMicros, call, description } = statementLine(event, NO_PLACE)
  return {
    transactionId: event.id,
    ...placeOf(event),
    type,
    amountMicros: deltaMicros.toString(),
    callId: call?.callId ?? null,
    keyId: call?.keyId ?? null,
    alias: call?.alias ?? null,
    tokensIn: call ? String(call.tokensIn) : null,
    tokensOut: call ? String(call.tokensOut) : null,
    reason: description,
    corrects: event.type === 'CreditsAdjusted' ? event.data.corrects : null,
    occurredAt: occurredAt(event),
  }
}
