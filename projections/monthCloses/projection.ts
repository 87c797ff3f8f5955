import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type MonthCloseRow = {
  readonly company_id: string
  readonly month: string
  /** The revision of the close in the company's ledger, which ends the range of the month. */
  readonly revision: string
  /** JSON. */
  readonly terms: string
  readonly closed_at: string
  /** null until it was computed what the range costs. */
  readonly billed_at: string | null
  readonly credits_micros: string | null
  readonly amount_minor: string | null
  /** JSON. */
  readonly lines: string | null
  readonly carried_micros: string | null
  readonly settled_at: string | null
}

/** The closed months of postpaid companies. */
export const monthCloses: Projection<MonthCloseRow, LedgerEvent> = {
  name: 'month-closes',
  version: 1,
  categories: ['ledger'],
  table: 'month_closes',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['company_id', 'month'],
  rowsOf: (event) => ('month' in event.data ? [{ company_id: event.data.companyId, month: event.data.month }] : []),
  evolve: (row, event) => {
    if (event.type === 'MonthClosed') {
      const { companyId, month, terms, closedAt } = event.data
      const bill = { billed_at: null, credits_micros: null, amount_minor: null, lines: null, carried_micros: null }
      const place = { company_id: companyId, month, revision: String(event.revision) }
      return row ?? { ...place, terms: JSON.stringify(terms), closed_at: closedAt, ...bill, settled_at: null }
    }
    if (!row) throw new Error(`${event.type} of company ${event.data.companyId} for a month that was not closed`)
    switch (event.type) {
      case 'MonthBilled': {
        const { creditsMicros, amountMinor, lines, carriedMicros, billedAt } = event.data
        const bill = { credits_micros: creditsMicros, amount_minor: amountMinor, lines: JSON.stringify(lines) }
        return { ...row, ...bill, carried_micros: carriedMicros, billed_at: billedAt }
      }
      case 'InvoiceSettled':
        return { ...row, settled_at: event.data.settledAt }
      case 'CallCharged':
      case 'CallFailed':
      case 'ChargeReversed':
      case 'CreditsGranted':
      case 'CreditsRefunded':
      case 'CreditsAdjusted':
        throw new Error(`${event.type} ${event.id} is not about a closed month`)
      default:
        return unexpected(event)
    }
  },
}
