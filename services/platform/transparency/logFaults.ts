import type { Sql } from '../../../projections/runner/ports.ts'

/** What no longer matches the log, and the event that differs, where it is known. */
export type KnownFault = { readonly fault: string; readonly eventId: string | null }

/**
 * The fault that stopped the sealer, or else why the key of the settings does not sign, or else the first receipt that did not
 * verify; null if nothing is known to be wrong.
 */
export async function readLogFault(sql: Sql): Promise<KnownFault | null> {
  const [row] = await sql.query<{ fault: string | null; event: string | null }>(
    `select coalesce(fault, key_fault, receipt_fault) as fault,
            case when fault is null and key_fault is null then receipt_event else fault_event end as event
     from ledger_log.progress`,
  )
  return row?.fault ? { fault: row.fault, eventId: row.event } : null
}

/** Stores that a receipt did not verify, for the health endpoints of all processes. The first one counts. */
export async function saveReceiptFault(sql: Sql, eventId: string, reason: string): Promise<void> {
  await sql.query(
    `update ledger_log.progress set receipt_fault = $1, receipt_event = $2, receipt_fault_at = clock_timestamp()
     where receipt_fault is null`,
    [`there is no receipt of event ${eventId}: ${reason}`, eventId],
  )
}
