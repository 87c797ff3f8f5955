import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type PurchaseRow = {
  readonly purchaseId: string
  readonly companyId: string
  readonly userId: string
  readonly packId: string
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED'
  readonly creditsMicros: string
  /** In major units of the currency. */
  readonly price: string
  readonly currency: string
  readonly sessionId: string | null
  /** When the checkout session ends at the provider. */
  readonly expiresAt: string | null
  readonly failureReason: string | null
  readonly paymentIntentId: string | null
  /** The credits taken back for refunds so far, less what was returned. */
  readonly refundedMicros: string
  readonly startedAt: string
  readonly completedAt: string | null
}

export const purchases: Projection<PurchaseRow, PurchaseEvent> = {
  name: 'purchases',
  version: 2,
  categories: ['purchase'],
  table: 'purchases',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['purchaseId'],
  rowsOf: (event) => [{ purchaseId: event.data.purchaseId }],
  evolve: (row, event) => {
    if (event.type === 'PurchaseStarted') {
      const { purchaseId, companyId, userId, packId, creditsMicros, price, currency, startedAt } = event.data
      const purchase = { purchaseId, companyId, userId, packId, creditsMicros, price, currency, startedAt }
      const payment = {
        sessionId: null,
        expiresAt: null,
        failureReason: null,
        paymentIntentId: null,
        completedAt: null,
      }
      return { ...purchase, status: 'PENDING', ...payment, refundedMicros: '0' }
    }
    if (!row) throw new Error(`${event.type} of purchase ${event.data.purchaseId}, which was never started`)
    switch (event.type) {
      case 'PurchaseCheckoutOpened':
        return { ...row, sessionId: event.data.sessionId, expiresAt: event.data.expiresAt }
      case 'PurchaseCompleted': {
        const { sessionId, paymentIntentId, completedAt } = event.data
        return { ...row, status: 'COMPLETED', failureReason: null, sessionId, paymentIntentId, completedAt }
      }
      case 'PurchaseFailed':
        return { ...row, status: 'FAILED', failureReason: event.data.reason }
      case 'PurchaseExpired':
        return { ...row, status: 'EXPIRED' }
      case 'PurchaseRefundSeen':
      case 'PurchaseDisputeSeen':
      case 'PurchaseCreditsWithdrawn':
      case 'PurchaseCreditsReinstated':
        return row
      case 'PurchaseCreditsTakenBack':
        return { ...row, refundedMicros: event.data.totalMicros }
      case 'PurchaseCreditsCorrected': {
        const { refundId, amountMicros } = event.data
        if (refundId === null) return row
        return { ...row, refundedMicros: String(BigInt(row.refundedMicros) - BigInt(amountMicros)) }
      }
      default:
        return unexpected(event)
    }
  },
}
