import type { Booking, Payment, Reference } from '../../domain/reconciliation/match.ts'
import type { PaidInvoice, Refund } from '../payments/paymentLists.ts'

/** What the ledger booked for a payment or a refund. */
export type Entry = {
  readonly kind: 'grant' | 'settlement' | 'refund' | 'byHand'
  readonly companyId: string | null
  readonly micros: bigint
  readonly at: string
  readonly reason: string
  readonly reference: Reference | null
}

/** Both sides. Lists come in pages, so that a month need not fit into memory. */
export type Sources = {
  payments(from: string, to: string): AsyncIterable<readonly Payment[]>
  refunds(from: string, to: string): AsyncIterable<readonly Refund[]>
  /** The payment for a booking, whenever it was made. */
  lookUp(reference: Reference): Promise<PaidInvoice | { readonly payment: Payment | null }>
  /** What is recorded about these purchases and invoices. */
  bookings(references: readonly Reference[]): Promise<ReadonlyMap<Reference, Booking>>
  /** Ordered by the time of the ledger. */
  entries(from: string, to: string): AsyncIterable<readonly Entry[]>
}
