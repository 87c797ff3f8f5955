import { grouped, ofCategory, only } from '../events.ts'
import type { Fold, Row } from './fold.ts'

/** Events of a dispute are stored only if they are newer than those before, so the last one describes it. */
export const disputes: Fold = {
  table: 'disputes',
  key: ['dispute_id'],
  rowsOf: (events) =>
    [...grouped(ofCategory(events, 'dispute'), ({ stream }) => stream).values()].flatMap((own): Row[] => {
      const [opened] = only(own, 'DisputeOpened')
      const last = only(own, 'DisputeOpened', 'DisputeUpdated', 'DisputeClosed').at(-1)
      if (!opened || !last) return []
      const { disputeId, companyId, payment, openedAt } = opened.data
      const { facts } = last.data
      return [
        {
          dispute_id: disputeId,
          company_id: companyId,
          status: facts.status,
          is_inquiry: facts.isInquiry,
          amount_minor: facts.amountMinor,
          currency: facts.currency,
          reason: facts.reason,
          respond_by: facts.respondBy,
          charge_id: payment.chargeId,
          payment_intent_id: payment.paymentIntentId,
          purchase_id: payment.purchaseId,
          invoice_id: payment.invoiceId,
          opened_at: openedAt,
          closed_at: only(own, 'DisputeClosed').at(-1)?.data.saidAt,
        },
      ]
    }),
}
