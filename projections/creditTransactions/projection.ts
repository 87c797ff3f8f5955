import type { RecordedEvent } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type CreditTransactionRow = {
  readonly transaction_id: string
  readonly company_id: string
  /** In the company's ledger stream: the order of its transactions, the same in every store. */
  readonly revision: string
  readonly type: string
  /** Signed: what came in is positive, what went out negative. */
  readonly amount_micros: string
  readonly call_id: string | null
  readonly key_id: string | null
  readonly alias: string | null
  readonly tokens_in: string | null
  readonly tokens_out: string | null
  readonly reason: string | null
  readonly occurred_at: string
}

/** A line for everything that moved a balance; a failed call moved nothing and has none. */
export const creditTransactions: Projection<CreditTransactionRow> = {
  name: 'credit-transactions',
  version: 2,
  categories: ['ledger'],
  table: 'credit_transactions',
  tableSql: new URL('./table.sql', import.meta.url),
  // Not by its id: those are random, and an index that is written all over costs as much as the rest of the row.
  key: ['company_id', 'revision'],
  insertOnly: true,
  rowsOf: (event) => (event.type === 'CallFailed' ? [] : [placeOf(event)]),
  evolve: (row, event) => row ?? transactionOf(event),
}

function placeOf(recorded: RecordedEvent) {
  const { companyId } = recorded.data as LedgerEvent['data']
  return { company_id: companyId, revision: String(recorded.revision) }
}

const NO_CALL = { call_id: null, key_id: null, alias: null, tokens_in: null, tokens_out: null }

function transactionOf(recorded: RecordedEvent): CreditTransactionRow {
  const event = recorded as unknown as LedgerEvent
  const line = { transaction_id: recorded.id, ...placeOf(recorded) }
  switch (event.type) {
    case 'CreditsGranted': {
      const { source, amountMicros, reason, grantedAt } = event.data
      return { ...line, type: source, amount_micros: amountMicros, ...NO_CALL, reason, occurred_at: grantedAt }
    }
    case 'CreditsRefunded': {
      const { amountMicros, reason, refundedAt } = event.data
      return {
        ...line,
        type: 'REFUND',
        amount_micros: negative(amountMicros),
        ...NO_CALL,
        reason,
        occurred_at: refundedAt,
      }
    }
    case 'CallCharged': {
      const { amountMicros, finishedAt } = event.data
      const call = callOf(event.data)
      return {
        ...line,
        type: 'USAGE',
        amount_micros: negative(amountMicros),
        ...call,
        reason: null,
        occurred_at: finishedAt,
      }
    }
    case 'ChargeReversed': {
      const { amountMicros, reason, reversedAt } = event.data
      return {
        ...line,
        type: 'REVERSAL',
        amount_micros: amountMicros,
        ...callOf(event.data),
        reason,
        occurred_at: reversedAt,
      }
    }
    case 'CallFailed':
      throw new Error('a failed call is no transaction')
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
  }
}

function negative(micros: string): string {
  return (-BigInt(micros)).toString()
}
