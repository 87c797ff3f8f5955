import type { InvoiceEvent, InvoiceFacts } from '../../contracts/events/invoice.ts'
import type { InvoiceLine } from '../../contracts/events/postpaid.ts'
import { unexpected } from '../../domain/decider.ts'
import { learn } from '../../domain/invoice/decider.ts'
import type { Known } from '../../domain/providerReport.ts'
import type { Projection } from '../projection.ts'

export type InvoiceRow = Omit<InvoiceFacts, 'issuedAt'> & {
  readonly invoiceId: string
  readonly companyId: string
  readonly issuedAt: string | null
  /** The month of a postpaid company that it is for; null for other invoices. */
  readonly month: string | null
  readonly creditsMicros: string | null
  /** JSON. */
  readonly lines: string | null
  /** The second of this description; null if only a refund is known, in which case the invoice is hidden. */
  readonly saidAt: string | null
  readonly answered: boolean
}

export const invoices: Projection<InvoiceRow, InvoiceEvent> = {
  name: 'invoices',
  version: 2,
  categories: ['invoice'],
  table: 'invoices',
  tableSql: new URL('./table.sql', import.meta.url),
  key: ['invoiceId'],
  rowsOf: (event) => [{ invoiceId: event.data.invoiceId }],
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
        return known ? { ...row, ...known.facts, saidAt: known.saidAt, answered: known.answered } : row
      }
      case 'InvoiceRefundSeen':
      case 'InvoiceCreditsTakenBack':
      case 'InvoiceCreditsCorrected':
      case 'InvoiceDisputeSeen':
      case 'InvoiceCreditsWithdrawn':
      case 'InvoiceCreditsReinstated':
      case 'UsageInvoiceSettled':
      case 'UsageInvoiceEnded':
        return row
      case 'UsageInvoiceDrafted': {
        const { month, creditsMicros, lines } = event.data
        return { ...row, month, creditsMicros, lines: JSON.stringify(lines) }
      }
      default:
        return unexpected(event)
    }
  },
}

function rowWithoutReport({ data }: InvoiceEvent): InvoiceRow {
  return {
    invoiceId: data.invoiceId,
    companyId: data.companyId,
    status: 'DRAFT',
    providerInvoiceId: null,
    subscriptionId: null,
    amountMinor: '0',
    currency: '',
    issuedAt: null,
    dueAt: null,
    paidAt: null,
    payUrl: null,
    pdfUrl: null,
    month: null,
    creditsMicros: null,
    lines: null,
    saidAt: null,
    answered: false,
  }
}

/** What the decider knows, as stored in the row. */
export function knownOf(row: InvoiceRow): Known<InvoiceFacts> | null {
  if (row.saidAt === null || row.issuedAt === null) return null
  const { status, providerInvoiceId, subscriptionId, amountMinor, currency, issuedAt, dueAt, paidAt } = row
  const invoice = { status, providerInvoiceId, subscriptionId, amountMinor, currency, issuedAt, dueAt, paidAt }
  const facts = { ...invoice, payUrl: row.payUrl, pdfUrl: row.pdfUrl }
  return { facts, saidAt: row.saidAt, answered: row.answered }
}

/** The lines of a usage invoice; others have none here. */
export function linesOf({ lines }: Pick<InvoiceRow, 'lines'>): readonly InvoiceLine[] {
  return lines === null ? [] : (JSON.parse(lines) as InvoiceLine[])
}
