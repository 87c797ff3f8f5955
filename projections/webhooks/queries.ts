import type { Sql } from '../runner/ports.ts'
import type { PaymentEventRow } from './projection.ts'

/** The newest first; null selects every status. */
export function paymentEventsByStatus(
  sql: Sql,
  status: PaymentEventRow['status'] | null,
  limit: number,
): Promise<PaymentEventRow[]> {
  return sql.query<PaymentEventRow>(
    `select * from read_models.webhooks where $1::text is null or status = $1
     order by received_at desc, event_id limit $2`,
    [status, limit],
  )
}
