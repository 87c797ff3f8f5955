import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import type { Projection } from '../projection.ts'

export type CreditTransactionRow = {
  readonly transaction_id: string
  readonly company_id: string
  /** The revision in the company's ledger stream, which orders its transactions equally in every store. */
  readonly revision: string
  readonly type: string
  /** Signed: credits added are positive, credits taken are negative. */
  readonly amount_micros: string
  readonly call_id: string | null
  readonly key_id: string | null
  readonly alias: string | null
  readonly tokens_in: string | null
  readonly tokens_out: string | null
  readonly reason: string | null
  /** The transaction that an adjustment corrects. */
  readonly corrects: string | null
  readonly occurred_at: string
}

/** One row for each event that changed a balance; a failed call has none, and the close of a month. */
export const creditTransactions: Projection<CreditTransactionRow, LedgerEvent> = {
  name: 'credit-transactions',
  version: 4,
  categories: ['ledger'],
  table: 'credit_transactions',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not the transaction id: ids are random, and writing to random places of an index costs as much as the rest of the row.
  key: ['company_id', 'revision'],
  insertOnly: true,
  rowsOf: (event) => ('amountMicros' in event.data ? [placeOf(event)] : []),
  evolve: (row, event) => row ?? transactionOf(event),
}

function placeOf({ data, revision }: Recorded<LedgerEvent>) {
  return { company_id: data.companyId, revision: String(revision) }
}

const NO_CALL = { call_id: null, key_id: null, alias: null, tokens_in: null, tokens_out: null, corrects: null }

function transactionOf(event: Recorded<LedgerEvent>): CreditTransactionRow {
  const line = { transaction_id: event.id, ...placeOf(event) }
  const amount_micros = deltaMicros(event).toString()
  switch (event.type) {
    case 'CreditsGranted': {
      const { source, reason, grantedAt } = event.data
      return { ...line, type: source, amount_micros, ...NO_CALL, reason, occurred_at: grantedAt }
    }
    case 'CreditsRefunded': {
      const { reason, refundedAt } = event.data
      return { ...line, type: 'REFUND', amount_micros, ...NO_CALL, reason, occurred_at: refundedAt }
    }
    case 'CreditsAdjusted': {
      const { reason, corrects, adjustedAt } = event.data
      return { ...line, type: 'ADJUSTMENT', amount_micros, ...NO_CALL, corrects, reason, occurred_at: adjustedAt }
    }
    case 'CallCharged': {
      const call = callOf(event.data)
      return { ...line, type: 'USAGE', amount_micros, ...call, reason: null, occurred_at: event.data.finishedAt }
    }
    case 'ChargeReversed': {
      const { reason, reversedAt } = event.data
      return { ...line, type: 'REVERSAL', amount_micros, ...callOf(event.data), reason, occurred_at: reversedAt }
    }
    case 'InvoiceSettled': {
      const { month, settledAt } = event.data
      const reason = `invoice for ${month}`
      return { ...line, type: 'SETTLEMENT', amount_micros, ...NO_CALL, reason, occurred_at: settledAt }
    }
    case 'CallFailed':
    case 'MonthClosed':
    case 'MonthBilled':
      throw new Error(`${event.type} ${event.id} is not a transaction`)
    default:
      return unexpected(event)
  }
}

function callOf(data: { callId: string; keyId: string; alias: string; tokensIn: number; tokensOut: number }) {
  return {
    call_id: data.callId,
    key_id: data.keyId,
    alias: data.alias,
    tokens_in: String(data.tokensIn),
    tokens_out: String(data.tokensOut),
    corrects: null,
  }
}
