import type { PGlite } from '@electric-sql/pglite'
import { rowsOf } from '../database/rows.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import { shareOf } from './disputes.ts'

/** What the provider says of a dispute, in our words. */
const SHOWN_AS: Readonly<Record<string, string>> = {
  needs_response: 'NEEDS_RESPONSE',
  under_review: 'UNDER_REVIEW',
  won: 'WON',
  lost: 'LOST',
  warning_needs_response: 'NEEDS_RESPONSE',
  warning_under_review: 'UNDER_REVIEW',
  warning_closed: 'WITHDRAWN',
}
const GIVES_BACK = ['won', 'warning_closed']

/**
 * Every dispute at the provider is known as it is, and the ledger has taken what it is worth: the share of the credits of
 * its payment, rounded down, together at most what refunds leave of them. Payments that a person has corrected are left to
 * the check of their decisions.
 */
export function disputesMissing(pglite: PGlite, { state }: PaymentParty): string | null {
  const disputes = state.all('dispute')
  if (disputes.length === 0) return null
  const shown = new Map(rowsOf(pglite, 'select dispute_id, status from read_models.disputes').map(([id, s]) => [id, s]))
  for (const { id, status } of disputes) {
    if (shown.get(id) !== SHOWN_AS[status]) return `dispute ${id} is ${status}, and is shown as ${shown.get(id)}`
  }
  const taken = new Map(rowsOf(pglite, TAKEN).map(([id, micros]) => [id, BigInt(micros ?? 0)]))
  const grants = new Map(rowsOf(pglite, GRANTED).map(([id, micros, grantId]) => [id, { micros, grantId }]))
  const corrected = new Set(rowsOf(pglite, CORRECTED).map(([id]) => id))
  for (const { id, amount, amount_refunded, metadata, invoice } of state.all('charge')) {
    const own = disputes.filter(({ charge }) => charge === id)
    const paidFor = metadata.purchaseId ?? invoice
    if (own.length === 0 || corrected.has(paidFor)) continue
    const granted = BigInt(grants.get(paidFor ?? null)?.micros ?? 0)
    const worth = (minor: number) => shareOf(granted, BigInt(minor), BigInt(amount))
    const due = own.reduce((sum, one) => sum + (GIVES_BACK.includes(one.status) ? 0n : worth(one.amount)), 0n)
    const left = granted - worth(amount_refunded)
    const expected = due < left ? due : left
    const found = own.reduce((sum, one) => sum + (taken.get(one.id) ?? 0n), 0n)
    if (found !== expected) return `disputes of charge ${id} for ${paidFor} have taken ${found}, and not ${expected}`
  }
  return null
}

const TAKEN = `select data->>'disputeId', sum(case type when 'CreditsWithdrawn' then 1 else -1 end * (data->>'amountMicros')::numeric)
  from event_store.events where type in ('CreditsWithdrawn', 'CreditsReinstated') and data->>'disputeId' is not null
  group by 1`

const GRANTED = `select data->>'purchaseId', data->>'creditsMicros' from event_store.events where type = 'PurchaseCompleted'
  union all
  select data->>'invoiceId', data->'grant'->>'creditsMicros' from event_store.events
  where type = 'InvoicePaid' and data->>'grant' is not null`

const CORRECTED = `select coalesce(data->>'purchaseId', data->>'invoiceId') from event_store.events
  where type in ('PurchaseCreditsCorrected', 'InvoiceCreditsCorrected') and data->>'adjustedBy' is not null`
