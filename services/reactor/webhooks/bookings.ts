import type { InvoiceEvent } from '../../../contracts/events/invoice.ts'
import type { PurchaseEvent } from '../../../contracts/events/purchase.ts'
import type { LedgerCommand } from '../../../domain/ledger/decider.ts'
import { type Cause, REACTOR, type WebhookDependencies } from './webhookDependencies.ts'

/**
 * Books on the ledger what was decided on a purchase or an invoice. The ids come from that decision, so a repetition
 * books nothing; and a repeated command returns its first decision, so a booking missed in a crash is made up for.
 */
export async function book(
  { ledger }: Pick<WebhookDependencies, 'ledger'>,
  cause: Pick<Cause, 'id'>,
  decided: readonly (PurchaseEvent | InvoiceEvent)[],
): Promise<void> {
  for (const event of decided) {
    const command = bookingOf(event)
    if (command) await ledger.book(ledger.draft(command), cause.id, REACTOR)
  }
}

function bookingOf(event: PurchaseEvent | InvoiceEvent): LedgerCommand | null {
  switch (event.type) {
    case 'PurchaseCompleted': {
      const { companyId, grantId, creditsMicros, purchaseId, completedAt: at } = event.data
      const amount = { source: 'PACK_PURCHASE', amountMicros: BigInt(creditsMicros) } as const
      return { type: 'GrantCredits', companyId, grantId, ...amount, reason: `purchase ${purchaseId}`, at }
    }
    case 'PurchaseCreditsTakenBack': {
      const { companyId, refundId, amountMicros, purchaseId, takenBackAt: at } = event.data
      const reason = `refund of purchase ${purchaseId}`
      return { type: 'RefundCredits', companyId, refundId, amountMicros: BigInt(amountMicros), reason, at }
    }
    case 'InvoicePaid': {
      const { companyId, grant, invoiceId, saidAt: at } = event.data
      if (!grant) return null
      const amount = { source: 'SUBSCRIPTION', amountMicros: BigInt(grant.creditsMicros) } as const
      return { type: 'GrantCredits', companyId, grantId: grant.grantId, ...amount, reason: `invoice ${invoiceId}`, at }
    }
    case 'InvoiceCreditsTakenBack': {
      const { companyId, refundId, amountMicros, invoiceId, takenBackAt: at } = event.data
      const reason = `refund of invoice ${invoiceId}`
      return { type: 'RefundCredits', companyId, refundId, amountMicros: BigInt(amountMicros), reason, at }
    }
    case 'UsageInvoiceSettled': {
      const { companyId, month, invoiceId, creditsMicros, settledAt: at } = event.data
      return { type: 'SettleInvoice', companyId, month, invoiceId, amountMicros: BigInt(creditsMicros), at }
    }
    default:
      return null
  }
}
