import { KEPT } from '../../../capabilities/creditLots/lotSql.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { CALL_AND_SETTLEMENT_MS } from '../creditLots/expireCredits.ts'

export type FallenBalance = {
  readonly companyId: string
  /** What calls can still use: without credits that have expired, whose expiry is booked hours later. */
  readonly balanceMicros: string
  /** All credits ever granted. It is of the same moment as the balance. */
  readonly grantsMicros: string
}

/**
 * Lots that expired this long ago may have expiries in the balance that the lots do not have yet, because both are read
 * models. Earlier none is booked, apart from what clocks differ by.
 */
const UNBOOKED_MS = CALL_AND_SETTLEMENT_MS - 10 * 60_000

/** Companies whose balance is below the threshold of their top-up, and that have not tried to top up this fall of it. */
export function fallenBalances(
  sql: Sql,
  nowMs: number,
  except: readonly string[],
  limit: number,
): Promise<FallenBalance[]> {
  return sql.query<FallenBalance>(
    `select company_id, usable_micros::text as balance_micros, coalesce(grants_micros, 0)::text as grants_micros
     from read_models.top_ups
     join read_models.companies using (company_id)
     left join read_models.credit_balances using (company_id)
     cross join lateral (
       select coalesce(balance_micros, 0) - coalesce(sum(left_micros - ${KEPT}), 0) as usable_micros
       from credit_lots.lots as lot
       where lot.company_id = companies.company_id and expires_at <= $1 and expires_at > $4 and left_micros > 0
     ) as usable
     where is_on and running_attempt is null and billing_mode = 'PREPAID' and suspended_at is null
       and company_id <> all($2::uuid[]) and usable_micros < threshold_micros
       and (tried_at_micros is null or coalesce(grants_micros, 0) > tried_at_micros
         or (may_repeat and coalesce(grants_micros, 0) = tried_at_micros))
     order by company_id limit $3`,
    [isoTime(nowMs), except, limit, isoTime(nowMs - UNBOOKED_MS)],
  )
}
