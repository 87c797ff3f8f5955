import { isoTime } from '../../../../platform/clock/clock.ts'
import { invoicesDueBetween } from '../../../../projections/invoices/queries.ts'
import type { Sql } from '../../../../projections/runner/ports.ts'
import type { TaskDraft } from '../worker.ts'
import { mailTask } from './mailCauses.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const REMINDER_MS = 3 * DAY_MS
/** Invoices that have been overdue for longer were mailed about, or belong to an old event store. */
const OVERDUE_MS = 7 * DAY_MS
const INVOICES_MAX = 500

/** The mails about unpaid invoices that are due soon or overdue. They may have been sent already. */
export async function invoiceMails(sql: Sql, nowMs: number): Promise<TaskDraft[]> {
  const rows = await invoicesDueBetween(sql, isoTime(nowMs - OVERDUE_MS), isoTime(nowMs + REMINDER_MS), INVOICES_MAX)
  return rows.flatMap((row) => {
    const { invoiceId, companyId, amountMinor, currency, dueAt } = row
    if (dueAt === null) return []
    const dueMs = Date.parse(dueAt)
    const invoice = { invoiceId, companyId, amountMinor, currency, payUrl: row.payUrl, dueAt }
    // Each once for a due date: one that is changed has mails of its own.
    return dueMs <= nowMs
      ? [mailTask(`invoice overdue: ${invoiceId} ${dueAt}`, { kind: 'invoice_overdue', at: dueAt, ...invoice })]
      : [
          mailTask(`invoice due soon: ${invoiceId} ${dueAt}`, {
            kind: 'invoice_due_soon',
            at: isoTime(dueMs - REMINDER_MS),
            ...invoice,
          }),
        ]
  })
}
