import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { evolve, type LedgerState, ledgerDecider } from '../../domain/ledger/decider.ts'
import type { Projection } from '../projection.ts'

export type CreditBalanceRow = {
  readonly company_id: string
  readonly grants_micros: string
  readonly charges_micros: string
  readonly reversals_micros: string
  readonly refunds_micros: string
  /** Signed. */
  readonly adjustments_micros: string
  readonly settlements_micros: string
  readonly balance_micros: string
  readonly updated_at: string
}

/** The balance of each company. It folds with the ledger's own `evolve`, so the two cannot disagree. */
export const creditBalances: Projection<CreditBalanceRow, LedgerEvent> = {
  name: 'credit-balances',
  version: 3,
  categories: ['ledger'],
  table: 'credit_balances',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id'],
  rowsOf: (event) => [{ company_id: event.data.companyId }],
  evolve: (row, event) => {
    const state = evolve(row ? stateOf(row) : ledgerDecider.initialState(), event)
    return {
      company_id: event.data.companyId,
      grants_micros: state.grantsMicros.toString(),
      charges_micros: state.chargesMicros.toString(),
      reversals_micros: state.reversalsMicros.toString(),
      refunds_micros: state.refundsMicros.toString(),
      adjustments_micros: state.adjustmentsMicros.toString(),
      settlements_micros: state.settlementsMicros.toString(),
      balance_micros: balanceMicros(state).toString(),
      updated_at: occurredAt(event),
    }
  },
}

function stateOf(row: CreditBalanceRow): LedgerState {
  return {
    grantsMicros: BigInt(row.grants_micros),
    chargesMicros: BigInt(row.charges_micros),
    reversalsMicros: BigInt(row.reversals_micros),
    refundsMicros: BigInt(row.refunds_micros),
    adjustmentsMicros: BigInt(row.adjustments_micros),
    settlementsMicros: BigInt(row.settlements_micros),
  }
}

function occurredAt(event: LedgerEvent): string {
  switch (event.type) {
    case 'CreditsGranted':
      return event.data.grantedAt
    case 'CallCharged':
    case 'CallFailed':
      return event.data.finishedAt
    case 'ChargeReversed':
      return event.data.reversedAt
    case 'CreditsRefunded':
      return event.data.refundedAt
    case 'CreditsAdjusted':
      return event.data.adjustedAt
    case 'MonthClosed':
      return event.data.closedAt
    case 'MonthBilled':
      return event.data.billedAt
    case 'InvoiceSettled':
      return event.data.settledAt
    default:
      return unexpected(event)
  }
}
