import type { InvoiceEvent, InvoiceFacts, InvoiceStatus } from '../../contracts/events/invoice.ts'
import type { InvoiceLine } from '../../contracts/events/postpaid.ts'
import { unexpected } from '../../domain/decider.ts'
import { learn } from '../../domain/invoice/decider.ts'
import type { Known } from '../../domain/providerReport.ts'
import type { Projection } from '../projection.ts'

export type InvoiceRow = {
  readonly invoice_id: string
  readonly company_id: string
  readonly status: InvoiceStatus
  readonly provider_invoice_id: string | null
  readonly subscription_id: string | null
  readonly amount_minor: string
  readonly currency: string
  readonly issued_at: string | null
  readonly due_at: string | null
  readonly paid_at: string | null
  readonly pay_url: string | null
  readonly pdf_url: string | null
  /** The month of a postpaid company that it is for; null for other invoices. */
  readonly month: string | null
  readonly credits_micros: string | null
  /** JSON. */
  readonly lines: string | null
  /** The second of this description; null if only a refund is known, and the invoice is not shown. */
  readonly said_at: string | null
  readonly answered: boolean
}

export const invoices: Projection<InvoiceRow, InvoiceEvent> = {
  name: 'invoices',
  version: 2,
  categories: ['invoice'],
  table: 'invoices',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['invoice_id'],
  rowsOf: (event) => [{ invoice_id: event.data.invoiceId }],
  evolve: (before, event) => {
    const row = before ?? rowWithoutReport(event)
    switch (event.type) {
      case 'InvoiceFinalized':
      case 'InvoicePaid':
      case 'InvoicePaymentFailed':
      case 'InvoiceActionRequired':
      case 'InvoiceFinalizationFailed':
      case 'InvoiceVoided':
      case 'InvoiceMarkedUncollectible':
      case 'InvoiceAnswered': {
        const known = learn(knownOf(row), event)
        return known ? { ...row, ...columnsOf(known) } : row
      }
      case 'InvoiceRefundSeen':
      case 'InvoiceCreditsTakenBack':
      case 'InvoiceCreditsCorrected':
      case 'UsageInvoiceSettled':
        return row
      case 'UsageInvoiceDrafted': {
        const { month, creditsMicros, lines } = event.data
        return { ...row, month, credits_micros: creditsMicros, lines: JSON.stringify(lines) }
      }
      default:
        return unexpected(event)
    }
  },
}

function rowWithoutReport({ data }: InvoiceEvent): InvoiceRow {
  return {
    invoice_id: data.invoiceId,
    company_id: data.companyId,
    status: 'DRAFT',
    provider_invoice_id: null,
    subscription_id: null,
    amount_minor: '0',
    currency: '',
    issued_at: null,
    due_at: null,
    paid_at: null,
    pay_url: null,
    pdf_url: null,
    month: null,
    credits_micros: null,
    lines: null,
    said_at: null,
    answered: false,
  }
}

/** The decider's knowledge, as stored in the row. */
export function knownOf(row: InvoiceRow): Known<InvoiceFacts> | null {
  if (row.said_at === null || row.issued_at === null) return null
  const facts = {
    status: row.status,
    providerInvoiceId: row.provider_invoice_id,
    subscriptionId: row.subscription_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    issuedAt: row.issued_at,
    dueAt: row.due_at,
    paidAt: row.paid_at,
    payUrl: row.pay_url,
    pdfUrl: row.pdf_url,
  }
  return { facts, saidAt: row.said_at, answered: row.answered }
}

function columnsOf({ facts, saidAt, answered }: Known<InvoiceFacts>) {
  return {
    status: facts.status,
    provider_invoice_id: facts.providerInvoiceId,
    subscription_id: facts.subscriptionId,
    amount_minor: facts.amountMinor,
    currency: facts.currency,
    issued_at: facts.issuedAt,
    due_at: facts.dueAt,
    paid_at: facts.paidAt,
    pay_url: facts.payUrl,
    pdf_url: facts.pdfUrl,
    said_at: saidAt,
    answered,
  }
}

/** The lines of an invoice for usage; others have none here. */
export function linesOf({ lines }: Pick<InvoiceRow, 'lines'>): readonly InvoiceLine[] {
  return lines === null ? [] : (JSON.parse(lines) as InvoiceLine[])
}
