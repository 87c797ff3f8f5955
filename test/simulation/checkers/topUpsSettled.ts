import { rowsOf } from '../database/rows.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Simulation } from '../simulation.ts'
import type { Condition } from '../world.ts'

/** An attempt that must not be paid any more is given up five minutes after its start, at the next question. */
const GIVEN_UP_WITHIN_MS = 7 * 60_000

/** Every attempt has ended, and every balance below its threshold was topped up, as far as that is allowed. */
export function topUpsSettled({ pglite, server }: Simulation, { state }: PaymentParty): Condition {
  return {
    name: 'automatic top-ups are settled',
    withinMs: GIVEN_UP_WITHIN_MS,
    missing: () => {
      if (!server.isFree) return `a transaction is open: ${server.describe()}`
      const slow = state.all('paymentIntent').filter(({ status }) => String(status) === 'processing')
      if (slow.length > 0) return `payment ${slow[0]?.id} is under way at its bank`
      const [running] = rowsOf(
        pglite,
        'select company_id, running_attempt from read_models.top_ups where running_attempt is not null',
      )
      if (running) return `company ${running[0]} has the running attempt ${running[1]}`
      const [fallen] = rowsOf(pglite, FALLEN)
      return fallen ? `company ${fallen[0]} has ${fallen[1]}, below its threshold of ${fallen[2]}` : null
    },
  }
}

/** Who may be charged: prepaid, not suspended, not disputed, not tried for this fall, and one more pack is within the ceiling. */
const FALLEN = `
  select t.company_id, coalesce(b.balance_micros, 0), t.threshold_micros
  from read_models.top_ups t
  join read_models.companies c using (company_id)
  left join read_models.credit_balances b using (company_id)
  cross join lateral (
    select data->>'packId' as pack_id, (data->>'ceilingMinor')::numeric as ceiling from event_store.events
    where type = 'TopUpSet' and data->>'companyId' = t.company_id::text order by position desc limit 1) as set_to
  join read_models.credit_packs p on p.pack_id::text = set_to.pack_id
  where t.is_on and c.billing_mode = 'PREPAID' and c.suspended_at is null
    and coalesce(b.balance_micros, 0) < t.threshold_micros
    and (t.tried_at_micros is null or coalesce(b.grants_micros, 0) > t.tried_at_micros
      or t.may_repeat and coalesce(b.grants_micros, 0) = t.tried_at_micros)
    and not exists (select from read_models.disputes d
      where d.company_id = t.company_id and d.status in ('NEEDS_RESPONSE', 'UNDER_REVIEW'))
    and p.price::numeric * 100 + (
      select coalesce(sum((s.data->>'amountMinor')::numeric), 0) from event_store.events s
      where s.type = 'TopUpStarted' and s.data->>'companyId' = t.company_id::text
        and s.data->>'month' = (select max(data->>'month') from event_store.events
          where type = 'TopUpStarted' and data->>'companyId' = t.company_id::text)
        and (exists (select from event_store.events e where e.type = 'TopUpSucceeded'
            and e.data->>'attemptId' = s.data->>'attemptId')
          or not exists (select from event_store.events e where e.type in ('TopUpDeclined', 'TopUpGivenUp')
            and e.data->>'attemptId' = s.data->>'attemptId'))) <= set_to.ceiling
  order by 1 limit 1`
