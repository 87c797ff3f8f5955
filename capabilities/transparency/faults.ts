import type { Sql } from '../../projections/runner/ports.ts'

/** Why the log does not sign, or what no longer matches it, with the differing event, if known. */
export type KnownFault = {
  readonly fault: string
  readonly eventId: string | null
  /** False if nothing differs, but readers do not know the configured key. */
  readonly isDifference: boolean
}

/**
 * The fault that stopped the sealer, or else the first receipt that failed to verify, or else why the configured key
 * does not sign; null if nothing is known to be wrong.
 */
export async function readFault(sql: Sql): Promise<KnownFault | null> {
  const [row] = await sql.query<{ difference: string | null; event: string | null; keyFault: string | null }>(
    `select coalesce(fault, receipt_fault) as difference,
            case when fault is null then receipt_event else fault_event end as event, key_fault
     from ledger_log.progress`,
  )
  if (row?.difference) return { fault: row.difference, eventId: row.event, isDifference: true }
  return row?.keyFault ? { fault: row.keyFault, eventId: null, isDifference: false } : null
}

/** Records that a receipt failed to verify, for the health endpoints of all processes. The first one counts. */
export async function saveReceiptFault(sql: Sql, eventId: string, reason: string): Promise<void> {
  await sql.query(
    `update ledger_log.progress set receipt_fault = $1, receipt_event = $2, receipt_fault_at = clock_timestamp()
     where receipt_fault is null`,
    [`there is no receipt of event ${eventId}: ${reason}`, eventId],
  )
}
