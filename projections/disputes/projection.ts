import type { DisputedPayment, DisputeEvent, DisputeFacts } from '../../contracts/events/dispute.ts'
import { unexpected } from '../../domain/decider.ts'
import type { Projection } from '../projection.ts'

export type DisputeRow = DisputeFacts &
  Pick<DisputedPayment, 'chargeId' | 'paymentIntentId' | 'purchaseId' | 'invoiceId'> & {
    readonly disputeId: string
    readonly companyId: string
    readonly openedAt: string
    /** When the provider reported how the dispute ended; null while it is open. */
    readonly closedAt: string | null
  }

/** The disputes of all companies, each as the newest report describes it. */
export const disputes: Projection<DisputeRow, DisputeEvent> = {
  name: 'disputes',
  version: 1,
  categories: ['dispute'],
  table: 'disputes',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['disputeId'],
  rowsOf: (event) => [{ disputeId: event.data.disputeId }],
  evolve: (row, event) => {
    if (event.type === 'DisputeOpened') {
      const { disputeId, companyId, payment, facts, openedAt } = event.data
      const { chargeId, paymentIntentId, purchaseId, invoiceId } = payment
      const paid = { chargeId, paymentIntentId, purchaseId, invoiceId }
      return { disputeId, companyId, ...facts, ...paid, openedAt, closedAt: null }
    }
    if (!row) throw new Error(`${event.type} of dispute ${event.data.disputeId}, which was never opened`)
    switch (event.type) {
      case 'DisputeUpdated':
        return { ...row, ...event.data.facts }
      case 'DisputeClosed':
        return { ...row, ...event.data.facts, closedAt: event.data.saidAt }
      default:
        return unexpected(event)
    }
  },
}
