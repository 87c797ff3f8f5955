import type { Sql } from '../runner/ports.ts'
import type { WebhookRow } from './projection.ts'

/** The newest first; null selects every status. */
export function webhooksByStatus(sql: Sql, status: WebhookRow['status'] | null, limit: number): Promise<WebhookRow[]> {
  return sql.query<WebhookRow>(
    `select * from read_models.webhooks where $1::text is null or status = $1
     order by received_at desc, event_id limit $2`,
    [status, limit],
  )
}
