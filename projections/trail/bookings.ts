import type { Sql } from '../runner/ports.ts'
import type { TrailRow } from './projection.ts'

/** Must match the condition of their index. */
const BOOKED = "('CreditsGranted', 'CreditsRefunded', 'InvoiceSettled')"
const BOOKED_AT = `(facts ->> 'bookedAt') collate "C"`

/** What the streams of purchases and invoices, and the ledger, say about payments and refunds. */
const OF_PAYMENTS = [
  'CreditsGranted',
  'CreditsRefunded',
  'InvoiceSettled',
  'PurchaseCompleted',
  'PurchaseRefundSeen',
  'PurchaseCreditsCorrected',
  'PurchaseDisputeSeen',
  'InvoicePaid',
  'InvoiceRefundSeen',
  'InvoiceCreditsCorrected',
  'InvoiceDisputeSeen',
  'CreditsWithdrawn',
  'CreditsReinstated',
  'UsageInvoiceDrafted',
]

/** What the ledgers of all companies booked for payments and refunds between two ledger times, in pages. */
export async function* bookedBetween(sql: Sql, from: string, to: string, pageRows = 500): AsyncIterable<TrailRow[]> {
  let after = { at: from, stream: '', revision: '-1' }
  for (;;) {
    const rows = await sql.query<TrailRow & { readonly bookedAt: string }>(
      `select *, facts ->> 'bookedAt' as booked_at from read_models.trail
       where type in ${BOOKED} and ${BOOKED_AT} >= $1 and ${BOOKED_AT} < $2
         and (${BOOKED_AT}, stream, revision) > ($3, $4, $5::bigint)
       order by ${BOOKED_AT}, stream, revision limit $6`,
      [from, to, after.at, after.stream, after.revision, pageRows],
    )
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return
    after = { at: last.bookedAt, stream: last.stream, revision: last.revision }
  }
}

/**
 * Everything recorded about the payments of these purchases and invoices, in the order of their streams. `grantIds` are their
 * grants, by which the ledger names what disputes withdraw.
 */
export function paymentRecords(
  sql: Sql,
  {
    purchaseIds,
    invoiceIds,
    grantIds,
  }: {
    readonly purchaseIds: readonly string[]
    readonly invoiceIds: readonly string[]
    readonly grantIds: readonly string[]
  },
): Promise<TrailRow[]> {
  return sql.query<TrailRow>(
    `select * from (
       select * from read_models.trail where purchase_id = any($1::uuid[])
       union select * from read_models.trail where invoice_id = any($2::text[])
       union select * from read_models.trail
         where type in ('CreditsWithdrawn', 'CreditsReinstated') and facts ->> 'grantId' = any($4::text[])
     ) t where type = any($3::text[]) order by stream, revision`,
    [purchaseIds, invoiceIds, OF_PAYMENTS, grantIds],
  )
}
