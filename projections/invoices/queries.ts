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

/** The invoices that may be overdue now or later, with which a gateway starts. */
export function unpaidInvoices(sql: Sql): Promise<InvoiceRow[]> {
  return sql.query<InvoiceRow>(
    "select * from read_models.invoices where said_at is not null and status not in ('PAID', 'VOID')",
  )
}
