import type { InvoiceEvent, InvoiceStatus } from '../../contracts/events/invoice.ts'
import { streamName } from '../../contracts/streams.ts'
import { fold } from '../../domain/decider.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { billDifference, type ReplayedMonth } from '../../domain/postpaid/monthReplay.ts'
import type { Engines } from '../../platform/engines.ts'
import { usageInvoicesOf } from '../../projections/invoices/queries.ts'

/** A closed month: the sum of its ledger range, and the provider's invoice for it. */
export type MonthAudit = {
  readonly month: string
  readonly closedAt: string
  readonly afterRevision: number
  readonly closeRevision: number
  readonly creditsMicros: string
  readonly amountMinor: string
  readonly currency: string
  readonly lines: ReplayedMonth['bill']['lines']
  readonly invoiceId: string | null
  readonly status: InvoiceStatus | null
  readonly hostedUrl: string | null
  readonly isSettled: boolean
  /** null if everything recorded equals the sum of the range. */
  readonly difference: string | null
}

type Invoice = { readonly invoiceId: string; readonly events: readonly InvoiceEvent[] }

/** Compares the cost of closed months, computed from the ledger, with what was recorded for them and their invoices. */
export async function auditMonths(
  { database, store }: Pick<Engines, 'database' | 'store'>,
  companyId: string,
  months: readonly ReplayedMonth[],
): Promise<MonthAudit[]> {
  if (months.length === 0) return []
  const rows = await usageInvoicesOf(database, companyId)
  const audited: MonthAudit[] = []
  for (const month of months) {
    const invoices: Invoice[] = []
    for (const { invoiceId } of rows.filter((row) => row.month === month.month)) {
      const events: InvoiceEvent[] = []
      for await (const event of store.readStream(streamName('invoice', invoiceId))) events.push(event)
      invoices.push({ invoiceId, events })
    }
    audited.push(auditMonth(month, invoices))
  }
  return audited
}

function auditMonth(replayed: ReplayedMonth, invoices: readonly Invoice[]): MonthAudit {
  const { month, closedAt, bill, settled } = replayed
  const { afterRevision, closeRevision, creditsMicros, amountMinor, currency, lines } = bill
  const [invoice] = invoices
  const known = invoice && fold(invoiceDecider, invoice.events).known
  return {
    ...{ month, closedAt, afterRevision, closeRevision, creditsMicros, amountMinor, currency, lines },
    invoiceId: invoice?.invoiceId ?? null,
    status: known?.facts.status ?? null,
    hostedUrl: known?.facts.payUrl ?? null,
    isSettled: settled !== null,
    difference: differenceOf(replayed, invoices),
  }
}

function differenceOf({ bill, recorded, settled }: ReplayedMonth, invoices: readonly Invoice[]): string | null {
  const field = recorded && billDifference(bill, recorded)
  if (field) return `${field} was recorded otherwise`
  if (settled && settled.amountMicros !== bill.creditsMicros) {
    return `${settled.amountMicros} micros were settled, ${bill.creditsMicros} are owed`
  }
  const [invoice, another] = invoices
  if (another) return `there are ${invoices.length} invoices for it`
  return invoice ? invoiceDifference(bill, invoice) : null
}

function invoiceDifference(bill: ReplayedMonth['bill'], { invoiceId, events }: Invoice): string | null {
  const drafted = events.find((event) => event.type === 'UsageInvoiceDrafted')
  if (drafted && drafted.data.creditsMicros !== bill.creditsMicros) {
    return `invoice ${invoiceId} is about ${drafted.data.creditsMicros} micros`
  }
  const facts = fold(invoiceDecider, events).known?.facts
  if (!facts || (facts.amountMinor === bill.amountMinor && facts.currency === bill.currency)) return null
  const expected = `the ledger says ${bill.amountMinor} ${bill.currency}`
  return `the provider's invoice ${invoiceId} is over ${facts.amountMinor} ${facts.currency} (minor units), ${expected}`
}
