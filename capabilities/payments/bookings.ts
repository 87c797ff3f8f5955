import type { Actor, Recorded } from '../../contracts/envelope.ts'
import type { InvoiceEvent } from '../../contracts/events/invoice.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { WITHOUT_EXPIRY } from '../../contracts/events/lotTerms.ts'
import type { CorrectedCredits } from '../../contracts/events/payment.ts'
import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import type { StreamName } from '../../contracts/streams.ts'
import type { Reinstatement, Withdrawal } from '../../domain/disputedCredits.ts'
import type { LedgerCommand } from '../../domain/ledger/decider.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { deterministicId } from '../commands/eventId.ts'
import type { Booking, BookingDraft, LedgerWriter } from '../ledger/ledgerWriter.ts'

type Decided = PurchaseEvent | InvoiceEvent

/**
 * What was decided earlier than this before what is booked now is on the ledger. It is not sent again, because not every store
 * knows the ids of its events for ever.
 */
const REBOOKED_MS = 24 * 60 * 60 * 1_000

/**
 * Books on the ledger what was decided for a purchase or an invoice. The ids come from that decision, so a repetition
 * books nothing; and a repeated command returns its first decision, so a booking that a crash prevented is made up for.
 */
export async function book(
  ledger: LedgerWriter,
  correlationId: string,
  actor: Actor,
  decided: readonly Decided[],
): Promise<Booking[]> {
  const booked: Booking[] = []
  for (const event of decided) {
    const draft = draftOf(ledger, event)
    if (draft) booked.push(await ledger.book(draft, correlationId, actor))
  }
  return booked
}

export type BookingParts = { readonly ledger: LedgerWriter; readonly store: Pick<TypedEventStore, 'readStream'> }

/**
 * Like book, after everything that was decided there before. Another process may have decided that, and not booked it yet: on
 * the ledger, what gives credits back must not come before what took them, nor more be taken of a grant than it granted.
 */
export async function bookInOrder(
  { ledger, store }: BookingParts,
  stream: StreamName<'purchase' | 'invoice'>,
  decided: readonly Decided[],
): Promise<Booking[]> {
  const own = new Set(decided.flatMap((event) => draftOf(ledger, event)?.eventId ?? []))
  if (own.size === 0) return []
  const left = new Set(own)
  const upToOwn: (Pick<Recorded<Decided>, 'recordedAt' | 'metadata'> & { readonly draft: BookingDraft })[] = []
  for await (const event of store.readStream(stream)) {
    const draft = draftOf(ledger, event)
    if (!draft) continue
    upToOwn.push({ recordedAt: event.recordedAt, metadata: event.metadata, draft })
    if (left.delete(draft.eventId) && left.size === 0) break
  }
  if (left.size > 0) throw new Error(`${stream} does not have what was decided on it`)
  const sinceMs = Date.parse(upToOwn.at(-1)?.recordedAt ?? '') - REBOOKED_MS
  const booked: Booking[] = []
  for (const { recordedAt, metadata, draft } of upToOwn) {
    if (!own.has(draft.eventId) && Date.parse(recordedAt) < sinceMs) continue
    const { correlationId, actor } = metadata
    const booking = await ledger.book(draft, correlationId, actor)
    if (own.has(draft.eventId)) booked.push(booking)
  }
  return booked
}

function draftOf(ledger: LedgerWriter, event: Decided): BookingDraft | null {
  if (event.type === 'PurchaseCreditsCorrected') {
    return event.data.isEarlier ? null : ledger.draftOf(adjustmentOf(event.data, `purchase ${event.data.purchaseId}`))
  }
  if (event.type === 'InvoiceCreditsCorrected') {
    return event.data.isEarlier ? null : ledger.draftOf(adjustmentOf(event.data, `invoice ${event.data.invoiceId}`))
  }
  const command = bookingOf(event)
  return command && ledger.draft(command)
}

/** The id of the grant for a purchase or an invoice. */
export function grantIdOf(kind: 'purchase' | 'invoice', id: string): string {
  return deterministicId(`${kind}:${id}`)
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
      const { companyId, grantId, creditsMicros, expiresAt, purchaseId, completedAt: at } = event.data
      const amount = { source: 'PACK_PURCHASE', amountMicros: BigInt(creditsMicros) } as const
      const lot = { ...WITHOUT_EXPIRY, expiresAt }
      return { type: 'GrantCredits', companyId, grantId, ...amount, lot, reason: `purchase ${purchaseId}`, at }
    }
    case 'PurchaseCreditsTakenBack': {
      const { companyId, refundId, amountMicros, purchaseId, takenBackAt: at } = event.data
      const reason = `refund of purchase ${purchaseId}`
      const grantId = grantIdOf('purchase', purchaseId)
      return { type: 'RefundCredits', companyId, refundId, grantId, amountMicros: BigInt(amountMicros), reason, at }
    }
    case 'PurchaseCreditsWithdrawn':
      return withdrawalOf(event.data, grantIdOf('purchase', event.data.purchaseId))
    case 'PurchaseCreditsReinstated':
      return reinstatementOf(event.data, grantIdOf('purchase', event.data.purchaseId))
    case 'InvoiceCreditsWithdrawn':
      return withdrawalOf(event.data, grantIdOf('invoice', event.data.invoiceId))
    case 'InvoiceCreditsReinstated':
      return reinstatementOf(event.data, grantIdOf('invoice', event.data.invoiceId))
    case 'InvoicePaid': {
      const { companyId, grant, invoiceId, saidAt: at } = event.data
      if (!grant) return null
      const amount = { source: 'SUBSCRIPTION', amountMicros: BigInt(grant.creditsMicros) } as const
      const { grantId, lot } = grant
      const terms = lot ?? WITHOUT_EXPIRY
      return { type: 'GrantCredits', companyId, grantId, ...amount, lot: terms, reason: `invoice ${invoiceId}`, at }
    }
    case 'InvoiceCreditsTakenBack': {
      const { companyId, refundId, amountMicros, invoiceId, takenBackAt: at } = event.data
      const reason = `refund of invoice ${invoiceId}`
      const grantId = grantIdOf('invoice', invoiceId)
      return { type: 'RefundCredits', companyId, refundId, grantId, amountMicros: BigInt(amountMicros), reason, at }
    }
    case 'UsageInvoiceSettled': {
      const { companyId, month, invoiceId, creditsMicros, settledAt: at } = event.data
      return { type: 'SettleInvoice', companyId, month, invoiceId, amountMicros: BigInt(creditsMicros), at }
    }
    default:
      return null
  }
}

type OfCompany = { readonly companyId: string }

function withdrawalOf(
  { companyId, disputeId, withdrawal, amountMicros, withdrawnAt: at }: OfCompany & Withdrawal,
  grantId: string,
): LedgerCommand {
  const amount = { withdrawal, amountMicros: BigInt(amountMicros) }
  return { type: 'WithdrawCredits', companyId, grantId, disputeId, ...amount, at }
}

function reinstatementOf(
  { companyId, disputeId, amountMicros, reinstatedBeforeMicros, reinstatedAt: at }: OfCompany & Reinstatement,
  grantId: string,
): LedgerCommand {
  const amounts = {
    amountMicros: BigInt(amountMicros),
    reinstatedBeforeMicros: BigInt(reinstatedBeforeMicros),
  }
  return { type: 'ReinstateCredits', companyId, grantId, disputeId, ...amounts, at }
}
