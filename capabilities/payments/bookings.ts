import type { Actor } from '../../contracts/envelope.ts'
import type { InvoiceEvent } from '../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import type { CorrectedCredits } from '../../contracts/events/payment.ts'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import type { LedgerCommand } from '../../domain/ledger/decider.ts'
import { deterministicId } from '../commands/eventId.ts'
import type { Booking, BookingDraft, LedgerWriter } from '../ledger/ledgerWriter.ts'

/**
 * Books on the ledger what was decided for a purchase or an invoice. The ids come from that decision, so a repetition
 * books nothing; and a repeated command returns its first decision, so a booking that a crash prevented is made up for.
 */
export async function book(
  ledger: LedgerWriter,
  correlationId: string,
  actor: Actor,
  decided: readonly (PurchaseEvent | InvoiceEvent)[],
): Promise<Booking[]> {
  const booked: Booking[] = []
  for (const event of decided) {
    const draft = draftOf(ledger, event)
    if (draft) booked.push(await ledger.book(draft, correlationId, actor))
  }
  return booked
}

function draftOf(ledger: LedgerWriter, event: PurchaseEvent | InvoiceEvent): BookingDraft | null {
  if (event.type === 'PurchaseCreditsCorrected') {
    return event.data.isEarlier ? null : ledger.draftOf(adjustmentOf(event.data, `purchase ${event.data.purchaseId}`))
  }
  if (event.type === 'InvoiceCreditsCorrected') {
    return event.data.isEarlier ? null : ledger.draftOf(adjustmentOf(event.data, `invoice ${event.data.invoiceId}`))
  }
  const command = bookingOf(event)
  return command && ledger.draft(command)
}

/** The id of the ledger entry that a correction refers to: the grant, or a refund of it. */
export function correctedEntryId(grantId: string, refundId: string | null): string {
  return deterministicId(refundId === null ? `grant:${grantId}` : `refund:${refundId}`)
}

function adjustmentOf(data: CorrectedCredits & { readonly companyId: string }, of: string): LedgerEvent {
  const { companyId, grantId, refundId, amountMicros, correction, adjustmentId, adjustedBy, correctedAt } = data
  const reason = adjustedBy === null ? `${data.reason}: ${of}` : data.reason
  const entry = { corrects: correctedEntryId(grantId, refundId), correction }
  const by = { reason, adjustedBy, ...entry, adjustedAt: correctedAt }
  return { type: 'CreditsAdjusted', data: { companyId, adjustmentId, amountMicros, ...by } }
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
