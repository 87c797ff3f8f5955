import { isOfCall, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { periodsOf } from '../../domain/apiKey/budgetPeriod.ts'
import { unexpected } from '../../domain/decider.ts'
import { plus } from '../plus.ts'
import type { Projection } from '../projection.ts'

export type KeySpendRow = {
  readonly keyId: string
  /** A UTC day (2026-03-01), a month (2026-03) or `total`. A call counts where it was admitted. */
  readonly period: string
  readonly companyId: string
  /** Excluding reversed charges. */
  readonly spentMicros: string
  /** When the last call of the period was admitted, charged or not. */
  readonly lastUsedAt: string
}

/** What each key has spent by day, by month and in total: for its budget, and for admins to see. */
export const keySpend: Projection<KeySpendRow, LedgerEvent> = {
  name: 'key-spend',
  version: 1,
  categories: ['ledger'],
  table: 'key_spend',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['keyId', 'period'],
  rowsOf: (event) => {
    const spent = spentBy(event)
    if (!spent) return []
    return periodsOf(spent.admittedAt).map((period) => ({ keyId: spent.keyId, period }))
  },
  evolve: (row, event, key) => {
    const spent = spentBy(event)
    if (!spent) throw new Error(`${event.type} ${event.id} is not the end of a call`)
    const { keyId, companyId, admittedAt, micros } = spent
    return {
      keyId,
      period: key.period ?? '',
      companyId,
      spentMicros: plus(row?.spentMicros, micros),
      lastUsedAt: row && row.lastUsedAt > admittedAt ? row.lastUsedAt : admittedAt,
    }
  },
}

export type KeySpent = {
  readonly companyId: string
  readonly keyId: string
  readonly admittedAt: string
  /** Negative if credits are given back. */
  readonly micros: string
}

/** What an event adds to the spend of a key or gives back; null if it does not end a call. */
export function spentBy(event: LedgerEvent): KeySpent | null {
  if (!isOfCall(event)) return null
  switch (event.type) {
    case 'CallCharged':
      return { ...callOf(event.data), micros: event.data.amountMicros }
    case 'CallFailed':
      return { ...callOf(event.data), micros: '0' }
    case 'ChargeReversed':
      return { ...callOf(event.data), micros: `-${event.data.amountMicros}` }
    default:
      return unexpected(event)
  }
}

function callOf({ companyId, keyId, admittedAt }: Omit<KeySpent, 'micros'>) {
  return { companyId, keyId, admittedAt }
}
