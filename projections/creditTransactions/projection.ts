import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import type { Projection } from '../projection.ts'

export type CreditTransactionRow = {
  readonly transactionId: string
  readonly companyId: string
  /** The revision in the company's ledger stream, which orders its transactions equally in every store. */
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

/** One row for each event that changed a balance; a failed call has none, and the close of a month. */
export const creditTransactions: Projection<CreditTransactionRow, LedgerEvent> = {
  name: 'credit-transactions',
  version: 4,
  categories: ['ledger'],
  table: 'credit_transactions',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not the transaction id: ids are random, and writing to random places of an index costs as much as the rest of the row.
  key: ['companyId', 'revision'],
  insertOnly: true,
  rowsOf: (event) => ('amountMicros' in event.data ? [placeOf(event)] : []),
  evolve: (row, event) => row ?? transactionOf(event),
}

function placeOf({ data, revision }: Recorded<LedgerEvent>) {
  return { companyId: data.companyId, revision: String(revision) }
}

const NO_CALL = { callId: null, keyId: null, alias: null, tokensIn: null, tokensOut: null, corrects: null }

function transactionOf(event: Recorded<LedgerEvent>): CreditTransactionRow {
  const line = { transactionId: event.id, ...placeOf(event) }
  const amountMicros = deltaMicros(event).toString()
  switch (event.type) {
    case 'CreditsGranted': {
      const { source, reason, grantedAt } = event.data
      return { ...line, type: source, amountMicros, ...NO_CALL, reason, occurredAt: grantedAt }
    }
    case 'CreditsRefunded': {
      const { reason, refundedAt } = event.data
      return { ...line, type: 'REFUND', amountMicros, ...NO_CALL, reason, occurredAt: refundedAt }
    }
    case 'CreditsAdjusted': {
      const { reason, corrects, adjustedAt } = event.data
      return { ...line, type: 'ADJUSTMENT', amountMicros, ...NO_CALL, corrects, reason, occurredAt: adjustedAt }
    }
    case 'CallCharged': {
      const call = callOf(event.data)
      return { ...line, type: 'USAGE', amountMicros, ...call, reason: null, occurredAt: event.data.finishedAt }
    }
    case 'ChargeReversed': {
      const { reason, reversedAt } = event.data
      return { ...line, type: 'REVERSAL', amountMicros, ...callOf(event.data), reason, occurredAt: reversedAt }
    }
    case 'InvoiceSettled': {
      const { month, settledAt } = event.data
      const reason = `invoice for ${month}`
      return { ...line, type: 'SETTLEMENT', amountMicros, ...NO_CALL, reason, occurredAt: settledAt }
    }
    case 'CallFailed':
    case 'MonthClosed':
    case 'MonthBilled':
      throw new Error(`${event.type} ${event.id} is not a transaction`)
    default:
      return unexpected(event)
  }
}

type Call = { callId: string; keyId: string; alias: string; tokensIn: number; tokensOut: number }

function callOf({ callId, keyId, alias, tokensIn, tokensOut }: Call) {
  return { callId, keyId, alias, tokensIn: String(tokensIn), tokensOut: String(tokensOut), corrects: null }
}
