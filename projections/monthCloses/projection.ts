import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type MonthCloseRow = {
  readonly companyId: string
  readonly month: string
  /** The revision of the close in the company's ledger, which ends the range of the month. */
  readonly revision: string
  /** JSON. */
  readonly terms: string
  readonly closedAt: string
  /** null until the cost of the range was computed. */
  readonly billedAt: string | null
  readonly creditsMicros: string | null
  readonly amountMinor: string | null
  /** JSON. */
  readonly lines: string | null
  readonly carriedMicros: string | null
  readonly settledAt: string | null
}

/** The closed months of postpaid companies. */
export const monthCloses: Projection<MonthCloseRow, LedgerEvent> = {
  name: 'month-closes',
  version: 1,
  categories: ['ledger'],
  table: 'month_closes',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['companyId', 'month'],
  rowsOf: (event) => (isOfMonth(event) ? [{ companyId: event.data.companyId, month: event.data.month }] : []),
  evolve: (row, event) => {
    if (!isOfMonth(event)) throw new Error(`${event.type} ${event.id} is not about a closed month`)
    if (event.type === 'MonthClosed') {
      const { companyId, month, terms, closedAt } = event.data
      const bill = { billedAt: null, creditsMicros: null, amountMinor: null, lines: null, carriedMicros: null }
      const place = { companyId, month, revision: String(event.revision) }
      return row ?? { ...place, terms: JSON.stringify(terms), closedAt, ...bill, settledAt: null }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId} for a month that was not closed`)
    switch (event.type) {
      case 'MonthBilled': {
        const { creditsMicros, amountMinor, lines, carriedMicros, billedAt } = event.data
        return { ...row, creditsMicros, amountMinor, lines: JSON.stringify(lines), carriedMicros, billedAt }
      }
      case 'InvoiceSettled':
        return { ...row, settledAt: event.data.settledAt }
      default:
        return unexpected(event)
    }
  },
}

function isOfMonth<E extends LedgerEvent>(event: E): event is Extract<E, { data: { month: string } }> {
  return 'month' in event.data
}
