import type { LotSource, Rollover } from '../../domain/creditLots/facts.ts'
import type { Sql } from '../../projections/runner/ports.ts'

/** A lot as the company sees it. */
export type ShownLot = {
  readonly lotId: string
  readonly source: LotSource
  readonly priority: string
  readonly expiresAt: string | null
  readonly isExpired: boolean
  readonly grantedMicros: string
  readonly spentMicros: string
  readonly expiredMicros: string
  /** Refunded, disputed or corrected. */
  readonly takenMicros: string
  readonly leftMicros: string
  readonly rollover: Rollover | null
  /** The place of the lot in the list. */
  readonly place: string
}

/** Where lots without expiry stand among those that expire. */
const NEVER_MS = 10n ** 17n

/**
 * Calls can use the lots of group 0, in the order of the other columns (`domain/creditLots/burnOrder.ts`). The others stand
 * after them, the newest first.
 */
const PLACED = `
  select *, case when usable then 0 else 1 end as in_group,
    case when usable then -priority else 0 end as by_priority,
    case when usable then coalesce((extract(epoch from expires_at) * 1000)::bigint, ${NEVER_MS}) else 0 end as by_expiry,
    case when usable then age else -age end as by_age
  from (
    select *, left_micros > 0 and (expires_at is null or expires_at > $2) as usable
    from credit_lots.lots where company_id = $1
  ) as lot`

/** The form of a place: the columns of the order. */
export const LOT_PLACE = /[01] -?\d{1,18} \d{1,18} -?\d{1,18}/

/** The lots of a company at a moment, those first that calls can use, in the order in which calls use them. */
export function lotsPage(
  sql: Sql,
  { companyId, at, after, limit }: { companyId: string; at: string; after: string | null; limit: number },
): Promise<ShownLot[]> {
  return sql.query<ShownLot>(
    `select lot_id, source, priority, expires_at, coalesce(expires_at <= $2, false) as is_expired, granted_micros,
       spent_micros, expired_micros, refunded_micros + disputed_micros + corrected_micros as taken_micros, left_micros,
       rollover, concat_ws(' ', in_group, by_priority, by_expiry, by_age) as place
     from (${PLACED}) as placed
     where $3::bigint[] is null
       or (in_group, by_priority, by_expiry, by_age) > ($3[1], $3[2], $3[3], $3[4])
     order by in_group, by_priority, by_expiry, by_age limit $4`,
    [companyId, at, after?.split(' ') ?? null, limit],
  )
}

/** What the company owes, in millionths. */
export async function debtOf(sql: Sql, companyId: string): Promise<string> {
  const [row] = await sql.query<{ readonly debtMicros: string }>(
    'select debt_micros from credit_lots.companies where company_id = $1',
    [companyId],
  )
  return row?.debtMicros ?? '0'
}

/** The next moment after this one at which credits expire, with what is left of them; null if none expire. */
export async function nextExpiry(
  sql: Sql,
  companyId: string,
  at: string,
): Promise<{ readonly at: string; readonly micros: string } | null> {
  const [row] = await sql.query<{ readonly at: string; readonly micros: string }>(
    `select expires_at as at, sum(left_micros) as micros from credit_lots.lots
     where company_id = $1 and left_micros > 0 and expires_at > $2 group by expires_at order by expires_at limit 1`,
    [companyId, at],
  )
  return row ?? null
}

/** The position of a company and day in the list of credits that expire. */
export type ExpiryDay = { readonly day: string; readonly companyId: string }

type ExpiringCredits = ExpiryDay & {
  /** When the first of them expire. */
  readonly expiresAt: string
  readonly leftMicros: string
  /** What of them is granted again if no call uses them. */
  readonly rolloverMicros: string
}

const DAY = `to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD')`
const EXPIRING = `
  select ${DAY} as day, company_id, min(expires_at) as expires_at, sum(left_micros) as left_micros,
    coalesce(sum(trunc(left_micros * (rollover ->> 'share')::numeric / 1000000)), 0) as rollover_micros
  from credit_lots.lots`

/** What is left of lots that expire within the time, by UTC day and company. */
export function creditsExpiring(
  sql: Sql,
  { from, before, after }: { readonly from: string; readonly before: string; readonly after: ExpiryDay },
  limit: number,
): Promise<ExpiringCredits[]> {
  return sql.query<ExpiringCredits>(
    `${EXPIRING} where left_micros > 0 and expires_at > $1 and expires_at < $2 and (${DAY}, company_id) > ($3, $4::uuid)
     group by 1, 2 order by 1, 2 limit $5`,
    [from, before, after.day, after.companyId, limit],
  )
}

/** Whether credits of the company are left that expire on this day, after the moment. */
export async function doCreditsExpire(sql: Sql, { day, companyId }: ExpiryDay, at: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from credit_lots.lots
     where company_id = $1 and left_micros > 0 and expires_at > $2 and ${DAY} = $3 limit 1`,
    [companyId, at, day],
  )
  return rows.length > 0
}
