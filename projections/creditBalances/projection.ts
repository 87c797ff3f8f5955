import { COMMON_LEDGER_ID, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { balanceMicros } from '../../domain/ledger/balance.ts'
import { evolve, type LedgerState, ledgerDecider, occurredAt } from '../../domain/ledger/decider.ts'
import type { Projection } from '../projection.ts'

export type CreditBalanceRow = {
  readonly companyId: string
  readonly grantsMicros: string
  readonly chargesMicros: string
  readonly reversalsMicros: string
  readonly refundsMicros: string
  /** Signed. */
  readonly adjustmentsMicros: string
  readonly settlementsMicros: string
  readonly expiriesMicros: string
  readonly withdrawalsMicros: string
  readonly reinstatementsMicros: string
  readonly balanceMicros: string
  readonly updatedAt: string
}

/** The balance of each company. It folds with the ledger's own `evolve`, so the two cannot disagree. */
export const creditBalances: Projection<CreditBalanceRow, LedgerEvent> = {
  name: 'credit-balances',
  version: 4,
  categories: ['ledger'],
  table: 'credit_balances',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId'],
  rowsOf: ({ data: { companyId } }) => (companyId === COMMON_LEDGER_ID ? [] : [{ companyId }]),
  evolve: (row, event) => {
    const state = evolve(row ? stateOf(row) : ledgerDecider.initialState(), event)
    return {
      companyId: event.data.companyId,
      grantsMicros: state.grantsMicros.toString(),
      chargesMicros: state.chargesMicros.toString(),
      reversalsMicros: state.reversalsMicros.toString(),
      refundsMicros: state.refundsMicros.toString(),
      adjustmentsMicros: state.adjustmentsMicros.toString(),
      settlementsMicros: state.settlementsMicros.toString(),
      expiriesMicros: state.expiriesMicros.toString(),
      withdrawalsMicros: state.withdrawalsMicros.toString(),
      reinstatementsMicros: state.reinstatementsMicros.toString(),
      balanceMicros: balanceMicros(state).toString(),
      updatedAt: occurredAt(event),
    }
  },
}

function stateOf(row: CreditBalanceRow): LedgerState {
  return {
    grantsMicros: BigInt(row.grantsMicros),
    chargesMicros: BigInt(row.chargesMicros),
    reversalsMicros: BigInt(row.reversalsMicros),
    refundsMicros: BigInt(row.refundsMicros),
    adjustmentsMicros: BigInt(row.adjustmentsMicros),
    settlementsMicros: BigInt(row.settlementsMicros),
    expiriesMicros: BigInt(row.expiriesMicros),
    withdrawalsMicros: BigInt(row.withdrawalsMicros),
    reinstatementsMicros: BigInt(row.reinstatementsMicros),
  }
}
