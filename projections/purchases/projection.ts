import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type PurchaseRow = {
  readonly purchase_id: string
  readonly company_id: string
  readonly user_id: string
  readonly pack_id: string
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED'
  readonly credits_micros: string
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly session_id: string | null
  /** When the checkout session ends at the provider. */
  readonly expires_at: string | null
  readonly failure_reason: string | null
  readonly payment_intent_id: string | null
  /** The credits taken back for refunds so far, less what was given back of them. */
  readonly refunded_micros: string
  readonly started_at: string
  readonly completed_at: string | null
}

export const purchases: Projection<PurchaseRow, PurchaseEvent> = {
  name: 'purchases',
  version: 2,
  categories: ['purchase'],
  table: 'purchases',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['purchase_id'],
  rowsOf: (event) => [{ purchase_id: event.data.purchaseId }],
  evolve: (row, event) => {
    if (event.type === 'PurchaseStarted') {
      const { purchaseId, companyId, userId, packId, creditsMicros, price, currency, startedAt } = event.data
      const parties = { purchase_id: purchaseId, company_id: companyId, user_id: userId, pack_id: packId }
      const offer = { credits_micros: creditsMicros, price, currency }
      const session = { session_id: null, expires_at: null, failure_reason: null }
      const payment = { ...session, payment_intent_id: null, refunded_micros: '0' }
      return { ...parties, status: 'PENDING', ...offer, ...payment, started_at: startedAt, completed_at: null }
    }
    if (!row) throw new Error(`${event.type} of purchase ${event.data.purchaseId}, which was never started`)
    switch (event.type) {
      case 'PurchaseCheckoutOpened':
        return { ...row, session_id: event.data.sessionId, expires_at: event.data.expiresAt }
      case 'PurchaseCompleted': {
        const { sessionId, paymentIntentId, completedAt } = event.data
        const payment = { session_id: sessionId, payment_intent_id: paymentIntentId }
        return { ...row, status: 'COMPLETED', failure_reason: null, ...payment, completed_at: completedAt }
      }
      case 'PurchaseFailed':
        return { ...row, status: 'FAILED', failure_reason: event.data.reason }
      case 'PurchaseExpired':
        return { ...row, status: 'EXPIRED' }
      case 'PurchaseRefundSeen':
        return row
      case 'PurchaseCreditsTakenBack':
        return { ...row, refunded_micros: event.data.totalMicros }
      case 'PurchaseCreditsCorrected': {
        const { refundId, amountMicros } = event.data
        if (refundId === null) return row
        return { ...row, refunded_micros: String(BigInt(row.refunded_micros) - BigInt(amountMicros)) }
      }
      default:
        return unexpected(event)
    }
  },
}
