import type { NoticeType } from '../../contracts/noticeTypes.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { deterministicId } from '../commands/eventId.ts'
import { addTasks, type NewTask } from '../tasks/taskTable.ts'

export const WEBHOOK_WORKER = 'webhook_worker'

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELED'

export type DeliveryRow = {
  readonly deliveryId: string
  readonly endpointId: string
  readonly companyId: string
  readonly messageId: string
  readonly type: NoticeType
  readonly number: string
  readonly body: string
  readonly state: DeliveryState
  readonly sendings: number
  readonly attempts: number
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly lastAttemptAt: string | null
  readonly nextAttemptAt: string | null
  readonly sentFrom: string
  readonly queuedAt: string
}

/** The same message for the same endpoint is the same delivery, however often it is queued. */
export function deliveryIdOf(endpointId: string, messageId: string): string {
  return deterministicId(`webhook delivery:${endpointId}:${messageId}`)
}

type Subject = Pick<DeliveryRow, 'deliveryId' | 'endpointId' | 'companyId' | 'type'>

/** The task that sends a delivery. Each sending is a separate task, because a completed task stays completed. */
export function deliveryTask({ deliveryId, endpointId, companyId, type }: Subject, sendings: number): NewTask {
  return {
    taskId: deterministicId(`task:${WEBHOOK_WORKER}:${deliveryId}:${sendings}`),
    subject: `webhook ${type} to endpoint ${endpointId} of company ${companyId}`,
    // Each endpoint has its own queue, so that a slow one does not delay the others.
    payload: { queue: endpointId, companyId, deliveryId, sendings },
  }
}

export async function unknownNotices(sql: Sql, messageIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ messageId: string }>(
    'select message_id from platform.webhook_notices where message_id = any($1::uuid[])',
    [messageIds],
  )
  const known = new Set(rows.map(({ messageId }) => messageId))
  return new Set(messageIds.filter((messageId) => !known.has(messageId)))
}

/** The ids that did not exist before. */
export async function addNotices(sql: Sql, messageIds: readonly string[], at: string): Promise<Set<string>> {
  const rows = await sql.query<{ messageId: string }>(
    `insert into platform.webhook_notices (message_id, noticed_at) select distinct unnest($1::uuid[]), $2::timestamptz
     on conflict do nothing returning message_id`,
    [messageIds, at],
  )
  return new Set(rows.map(({ messageId }) => messageId))
}

/** The next number of an endpoint's messages. The row stays locked until the transaction ends, so no number is lost. */
export async function nextNumber(
  sql: Sql,
  endpointId: string,
  newSeries: string,
): Promise<{ readonly number: string; readonly series: string }> {
  const [row] = await sql.query<{ number: string; series: string }>(
    `insert into platform.webhook_counters as c (endpoint_id, series, last_number) values ($1, $2, 1)
     on conflict (endpoint_id) do update set last_number = c.last_number + 1
     returning last_number as number, series`,
    [endpointId, newSeries],
  )
  if (!row) throw new Error(`endpoint ${endpointId} got no number`)
  return row
}

export type NewDelivery = Subject & Pick<DeliveryRow, 'messageId' | 'number' | 'body'>

/** Adds the delivery and the task that sends it. */
export async function addDelivery(sql: Sql, delivery: NewDelivery, at: string): Promise<void> {
  const { deliveryId, endpointId, companyId, messageId, type, number, body } = delivery
  await sql.query(
    `insert into platform.webhook_deliveries
       (delivery_id, endpoint_id, company_id, message_id, type, number, body, next_attempt_at, sent_from, queued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
    [deliveryId, endpointId, companyId, messageId, type, number, body, at],
  )
  await addTasks(sql, WEBHOOK_WORKER, [deliveryTask(delivery, 1)], at)
}

export async function deliveryById(sql: Sql, deliveryId: string): Promise<DeliveryRow | null> {
  const [row] = await sql.query<DeliveryRow>('select * from platform.webhook_deliveries where delivery_id = $1', [
    deliveryId,
  ])
  return row ?? null
}

/** The newest first. */
export function deliveriesOf(sql: Sql, endpointId: string, limit: number): Promise<DeliveryRow[]> {
  return sql.query<DeliveryRow>(
    `select * from platform.webhook_deliveries where endpoint_id = $1 order by queued_at desc, number desc limit $2`,
    [endpointId, limit],
  )
}

export type Outcome = Pick<DeliveryRow, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptAt'>

/** Records an attempt. An attempt of an earlier sending has no effect. */
export async function recordAttempt(
  sql: Sql,
  { deliveryId, sendings }: Pick<DeliveryRow, 'deliveryId' | 'sendings'>,
  { state, lastStatus, lastError, nextAttemptAt }: Outcome,
  at: string,
): Promise<void> {
  await sql.query(
    `update platform.webhook_deliveries set state = $3, last_status = $4, last_error = $5, next_attempt_at = $6,
       attempts = attempts + 1, last_attempt_at = $7
     where delivery_id = $1 and sendings = $2 and state = 'PENDING'`,
    [deliveryId, sendings, state, lastStatus, lastError, nextAttemptAt, at],
  )
}

/** Its endpoint no longer accepts messages. */
export async function cancelDelivery(sql: Sql, deliveryId: string, reason: string): Promise<void> {
  await sql.query(
    `update platform.webhook_deliveries set state = 'CANCELED', last_error = $2, next_attempt_at = null
     where delivery_id = $1 and state = 'PENDING'`,
    [deliveryId, reason],
  )
}

/** Sends it again, with the full time for retries, or now if it is waiting. */
export async function resendDelivery(sql: Sql, deliveryId: string, at: string): Promise<DeliveryRow | null> {
  const [row] = await sql.query<DeliveryRow>(
    `update platform.webhook_deliveries set sent_from = $2, next_attempt_at = $2, state = 'PENDING',
       sendings = sendings + case state when 'PENDING' then 0 else 1 end
     where delivery_id = $1 returning *`,
    [deliveryId, at],
  )
  if (!row) return null
  const task = deliveryTask(row, row.sendings)
  await addTasks(sql, WEBHOOK_WORKER, [task], at)
  await sql.query("update platform.tasks set due_at = $2 where task_id = $1 and status = 'waiting'", [task.taskId, at])
  return row
}

/** Deletes what was queued or noticed long ago. */
export async function forgetDeliveries(sql: Sql, queuedBefore: string, noticedBefore: string): Promise<void> {
  await sql.query(`delete from platform.webhook_deliveries where queued_at < $1 and state <> 'PENDING'`, [queuedBefore])
  await sql.query('delete from platform.webhook_notices where noticed_at < $1', [noticedBefore])
}
