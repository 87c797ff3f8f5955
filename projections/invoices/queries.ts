import type { Sql } from '../runner/ports.ts'
import type { InvoiceRow } from './projection.ts'

/** The newest first. */
export function invoicesOf(sql: Sql, companyId: string, limit: number): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    `select * from read_models.invoices where company_id = $1 and said_at is not null
     order by issued_at desc, invoice_id limit $2`,
    [companyId, limit],
  )
}

/** The usage invoices of a postpaid company, oldest month first, including hidden ones. */
export function usageInvoicesOf(sql: Sql, companyId: string): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    'select * from read_models.invoices where company_id = $1 and month is not null order by month, invoice_id',
    [companyId],
  )
}

/** Unpaid invoices with a due date in this range, of companies that pay by invoice. */
export function invoicesDueBetween(sql: Sql, from: string, to: string, limit: number): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    `select * from read_models.invoices
     where said_at is not null and subscription_id is null and status in ('OPEN', 'ACTION_REQUIRED', 'PAYMENT_FAILED')
       and due_at >= $1 and due_at <= $2 order by due_at, invoice_id limit $3`,
    [from, to, limit],
  )
}

/** Invoices after this id that the provider may have ended since, or that became known as paid since a time. */
export function openInvoicesAfter(sql: Sql, after: string, paidSince: string, limit: number): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    `select * from read_models.invoices
     where said_at is not null and provider_invoice_id is not null and invoice_id > $1
       and (status not in ('PAID', 'VOID') or status = 'PAID' and said_at >= $2)
     order by invoice_id limit $3`,
    [after, paidSince, limit],
  )
}

/** The invoices that may be overdue now or later, loaded when a gateway starts. */
export function unpaidInvoices(sql: Sql): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    "select * from read_models.invoices where said_at is not null and status not in ('PAID', 'VOID')",
  )
}
