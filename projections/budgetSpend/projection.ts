import { isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { periodsOf } from '../../domain/apiKey/budgetPeriod.ts'
import { boundAccounts } from '../../domain/budgetAccounts.ts'
import { spentBy } from '../keySpend/projection.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export type BudgetSpendRow = {
  /** A project, or a label that callers cannot change (domain/budgetAccounts.ts). */
  readonly account: string
  /** A UTC day (2026-03-01), a month (2026-03) or `total`. A call counts where it was admitted. */
  readonly period: string
  readonly companyId: string
  /** Excluding reversed charges. */
  readonly spentMicros: string
}

/**
 * What projects and fixed labels have spent, by day, by month and in total: for their budgets, and for people to see. It has
 * no rows for calls of keys without either. The spend of a company is that of its keys.
 */
export const budgetSpend: Projection<BudgetSpendRow, LedgerEvent> = {
  name: 'budget-spend',
  version: 1,
  categories: ['ledger'],
  table: 'budget_spend',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['account', 'period'],
  rowsOf: (event) => {
    if (!isOfCall(event)) return []
    const periods = periodsOf(event.data.admittedAt)
    return boundAccounts(event.data).flatMap((account) => periods.map((period) => ({ account, period })))
  },
  evolve: (row, event, key) => {
    const spent = spentBy(event)
    if (!spent) throw new Error(`${event.type} ${event.id} is not the end of a call`)
    return {
      account: key.account ?? '',
      period: key.period ?? '',
      companyId: spent.companyId,
      spentMicros: plus(row?.spentMicros, spent.micros),
    }
  },
}
