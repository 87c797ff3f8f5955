import { rowsOf } from '../database/rows.ts'
import type { Simulation } from '../simulation.ts'
import type { Condition } from '../world.ts'

/** A checkout session is asked about a minute after its end, and again after ten. */
const PURCHASE_WITHIN_MS = 75_000
/** A reactor closes no month before its clock was steady for five minutes, so one that was killed takes as long. */
const MONTH_WITHIN_MS = 6 * 60_000

/** What follows from time passing has been done: nothing waits for an operator. */
export function duties({ pglite, server, scheduler }: Simulation): readonly Condition[] {
  const condition = (name: string, text: () => string, withinMs?: number): Condition => ({
    name,
    ...(withinMs === undefined ? {} : { withinMs }),
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      const rows = rowsOf(pglite, text())
      return rows.length === 0 ? null : `${rows.length}, such as ${rows[0]?.join(' ')}`
    },
  })
  const secondsAgo = (seconds: number) => `'${new Date(scheduler.nowMs - seconds * 1_000).toISOString()}'`
  return [
    condition(
      'expired keys are recorded',
      () => `select key_id, status from read_models.api_keys where status = 'LIVE' and expires_at < ${secondsAgo(5)}`,
    ),
    condition(
      'no purchase outlives its checkout session',
      () =>
        `select purchase_id, expires_at from read_models.purchases where status = 'PENDING' and expires_at < ${secondsAgo(65)}`,
      PURCHASE_WITHIN_MS,
    ),
    condition('no task is parked', () => "select task_id from read_models.parked_tasks where status = 'PARKED'"),
    condition(
      'past months of postpaid companies are closed, billed and invoiced',
      () => `select c.company_id, c.postpaid_since, m.month, m.billed_at, m.credits_micros, m.amount_minor
        from read_models.companies c left join read_models.month_closes m
          on m.company_id = c.company_id and m.month = to_char(c.postpaid_since at time zone 'UTC', 'YYYY-MM')
        where to_char(c.postpaid_since at time zone 'UTC', 'YYYY-MM') < to_char(${secondsAgo(5)}::timestamptz at time zone 'UTC', 'YYYY-MM')
          and (m.billed_at is null or m.credits_micros::numeric > 0 and m.settled_at is null and not exists
            (select 1 from read_models.invoices i where i.company_id = c.company_id and i.month = m.month and i.status <> 'DRAFT'))`,
      MONTH_WITHIN_MS,
    ),
  ]
}
