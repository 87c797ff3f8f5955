import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../decider.ts'
import { deltaMicros } from '../ledger/balance.ts'

/**
 * The types of transactions and of entries that leave the balance unchanged. A statement has all, so none can be
 * missing.
 */
export type StatementType =
  | 'PACK_PURCHASE'
  | 'SUBSCRIPTION'
  | 'ADJUSTMENT'
  | 'USAGE'
  | 'REVERSAL'
  | 'REFUND'
  | 'SETTLEMENT'
  | 'PROMOTION'
  | 'ROLLOVER'
  | 'EXPIRY'
  | 'DISPUTE'
  | 'FAILED'
  | 'MONTH_CLOSED'
  | 'MONTH_BILLED'
  | 'PRICES'

export type StatementCall = {
  readonly callId: string
  readonly keyId: string
  readonly alias: string
  readonly label: string | null
  /** null for a failed call. */
  readonly tokensIn: number | null
  readonly tokensOut: number | null
}

/** One entry of the ledger on a statement. */
export type StatementLine = {
  /** Counts the entries of the company. */
  readonly number: number
  readonly id: string
  /** When it was first stored. */
  readonly time: string
  readonly type: StatementType
  /** Signed: credits added are positive, credits taken are negative. */
  readonly deltaMicros: bigint
  /** The balance including this entry. */
  readonly balanceMicros: bigint
  readonly call: StatementCall | null
  readonly description: string | null
}

type Place = { readonly number: number; readonly id: string; readonly time: string; readonly balanceMicros: bigint }

/** The line of an event; `balanceMicros` is the balance before it. */
export function statementLine(event: LedgerEvent, { number, id, time, balanceMicros: before }: Place): StatementLine {
  const delta = deltaMicros(event)
  const money = { deltaMicros: delta, balanceMicros: before + delta }
  const line = (type: StatementType, call: StatementCall | null, description: string | null): StatementLine => ({
    ...{ number, id, time, type },
    ...money,
    ...{ call, description },
  })
  switch (event.type) {
    case 'CreditsGranted':
      return line(event.data.source, null, event.data.reason)
    case 'CallCharged':
      return line('USAGE', callOf(event.data), null)
    case 'ChargeReversed':
      return line('REVERSAL', callOf(event.data), event.data.reason)
    case 'CallFailed':
      return line('FAILED', callOf({ ...event.data, tokensIn: null, tokensOut: null }), event.data.reason)
    case 'CreditsRefunded':
    case 'CreditsAdjusted':
      return line(event.type === 'CreditsRefunded' ? 'REFUND' : 'ADJUSTMENT', null, event.data.reason)
    case 'CreditsExpired':
      return line('EXPIRY', null, 'credits that were not used in time')
    case 'CreditsWithdrawn':
      return line('DISPUTE', null, `withdrawn because of dispute ${event.data.disputeId}`)
    case 'CreditsReinstated': {
      const { disputeId } = event.data
      if (disputeId !== null) return line('DISPUTE', null, `given back from dispute ${disputeId}`)
      return line('EXPIRY', null, 'a call that began before the expiry used these credits')
    }
    case 'InvoiceSettled':
      return line('SETTLEMENT', null, `invoice for ${event.data.month}`)
    case 'MonthClosed':
    case 'MonthBilled':
      return line(event.type === 'MonthClosed' ? 'MONTH_CLOSED' : 'MONTH_BILLED', null, event.data.month)
    case 'PriceBookAnchored':
      return line('PRICES', null, `price book ${event.data.bookId}`)
    default:
      return unexpected(event)
  }
}

function callOf({ callId, keyId, alias, label, tokensIn, tokensOut }: StatementCall): StatementCall {
  return { callId, keyId, alias, label, tokensIn, tokensOut }
}
