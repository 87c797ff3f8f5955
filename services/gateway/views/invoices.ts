import type { InvoiceEvent, InvoiceFacts } from '../../../contracts/events/invoice.ts'
import { unexpected } from '../../../domain/decider.ts'
import { isFinal, isOverdue, learn } from '../../../domain/invoice/decider.ts'
import type { Known } from '../../../domain/providerReport.ts'
import { type InvoiceRow, knownOf } from '../../../projections/invoices/projection.ts'

/**
 * The unpaid invoices of each company. An invoice is overdue after its due date, or when a payment failed. Paid and void
 * invoices are removed; the decider records nothing after those states.
 */
export class InvoiceView {
  readonly #unpaid = new Map<string, Map<string, Known<InvoiceFacts>>>()

  /** An overdue invoice of the company, if there is one. */
  overdue(companyId: string, nowMs: number): InvoiceFacts | null {
    for (const { facts } of this.#unpaid.get(companyId)?.values() ?? []) if (isOverdue(facts, nowMs)) return facts
    return null
  }

  seed(rows: readonly InvoiceRow[]): void {
    for (const row of rows) this.#keep(row.companyId, row.invoiceId, knownOf(row))
  }

  apply(event: InvoiceEvent): void {
    switch (event.type) {
      case 'InvoiceFinalized':
      case 'InvoicePaid':
      case 'InvoicePaymentFailed':
      case 'InvoiceActionRequired':
      case 'InvoiceFinalizationFailed':
      case 'InvoiceVoided':
      case 'InvoiceMarkedUncollectible':
      case 'InvoiceAnswered': {
        const { companyId, invoiceId } = event.data
        const known = this.#unpaid.get(companyId)?.get(invoiceId) ?? null
        this.#keep(companyId, invoiceId, learn(known, event))
        return
      }
      case 'InvoiceRefundSeen':
      case 'InvoiceCreditsTakenBack':
      case 'InvoiceCreditsCorrected':
      case 'InvoiceDisputeSeen':
      case 'InvoiceCreditsWithdrawn':
      case 'InvoiceCreditsReinstated':
      case 'UsageInvoiceDrafted':
      case 'UsageInvoiceSettled':
      case 'UsageInvoiceEnded':
        return
      default:
        unexpected(event)
    }
  }

  #keep(companyId: string, invoiceId: string, known: Known<InvoiceFacts> | null): void {
    const unpaid = this.#unpaid.get(companyId) ?? new Map<string, Known<InvoiceFacts>>()
    if (known && !isFinal(known.facts)) unpaid.set(invoiceId, known)
    else unpaid.delete(invoiceId)
    if (unpaid.size > 0) this.#unpaid.set(companyId, unpaid)
    else this.#unpaid.delete(companyId)
  }
}
