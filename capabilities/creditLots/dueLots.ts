import type { Rollover } from '../../domain/creditLots/facts.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { BOOKED, HAS_ROLLED_OVER } from './lotSql.ts'

type LotName = { readonly companyId: string; readonly lotId: string }

/** Lots that had credits left at their expiry, the oldest first. */
export async function lotsToExpire(
  sql: Sql,
  expiredBefore: string,
  most: number,
): Promise<(LotName & { readonly leftMicros: bigint; readonly bookedMicros: bigint })[]> {
  const rows = await sql.query<LotName & { leftMicros: string; bookedMicros: string }>(
    `select company_id, lot_id, left_micros, ${BOOKED} as booked_micros from credit_lots.lots
     where expires_at <= $1 and left_micros > 0 order by expires_at, lot_id limit $2`,
    [expiredBefore, most],
  )
  return rows.map((row) => ({ ...row, leftMicros: BigInt(row.leftMicros), bookedMicros: BigInt(row.bookedMicros) }))
}

/** Lots of which more was booked as expired than was left, because a charge came later. */
export async function lotsOwed(
  sql: Sql,
  most: number,
): Promise<(LotName & { readonly owedMicros: bigint; readonly givenBackMicros: bigint })[]> {
  const rows = await sql.query<LotName & { owedMicros: string; givenBackMicros: string }>(
    `select company_id, lot_id, owed_micros, given_back_micros from credit_lots.lots
     where owed_micros > 0 order by company_id, lot_id limit $1`,
    [most],
  )
  return rows.map((row) => ({
    ...{ ...row, owedMicros: BigInt(row.owedMicros), givenBackMicros: BigInt(row.givenBackMicros) },
  }))
}

type LotToRollOver = LotName & {
  readonly expiredMicros: bigint
  readonly rollover: Rollover
  /** The id of the new grant. */
  readonly grantId: string
}

/** Expired lots of which a share is to be granted again, as long as the new lot would still be valid. */
export async function lotsToRollOver(sql: Sql, at: string, most: number): Promise<LotToRollOver[]> {
  const rows = await sql.query<Omit<LotToRollOver, 'expiredMicros'> & { readonly expiredMicros: string }>(
    `select company_id, lot_id, expired_micros, rollover, rollover_id as grant_id from credit_lots.lots as lot
     where rollover is not null and expired_micros > 0 and expires_at <= $1
       and to_timestamp((rollover ->> 'expiresAtMs')::double precision / 1000) > $1
       and not ${HAS_ROLLED_OVER}
     order by expires_at, lot_id limit $2`,
    [at, most],
  )
  return rows.map((row) => ({ ...row, expiredMicros: BigInt(row.expiredMicros) }))
}
