import type { Sql } from '../../projections/runner/ports.ts'
import { BOOKED, KEPT } from './lotSql.ts'

/** A lot that has expired, or will soon, and of which nobody has recorded yet what expires. */
export type LapsingLot = {
  readonly companyId: string
  readonly lotId: string
  readonly expiresAtMs: number
  /** What can no longer be used then: without what rolls over. */
  readonly lapsingMicros: bigint
  /** What expiries have booked of the lot so far. */
  readonly bookedMicros: bigint
}

type LapsingRow = Pick<LapsingLot, 'companyId' | 'lotId'> & Record<'expiresAtMs' | 'left' | 'kept' | 'booked', string>

export async function lapsingLots(sql: Sql, until: string): Promise<LapsingLot[]> {
  const rows = await sql.query<LapsingRow>(
    `select company_id, lot_id, (extract(epoch from expires_at) * 1000)::bigint as expires_at_ms, left_micros as left,
       ${KEPT} as kept,
       ${BOOKED} as booked
     from credit_lots.lots as lot where expires_at <= $1 and left_micros > 0`,
    [until],
  )
  return rows.map(({ companyId, lotId, expiresAtMs, left, kept, booked }) => ({
    ...{ companyId, lotId, expiresAtMs: Number(expiresAtMs) },
    ...{ lapsingMicros: BigInt(left) - BigInt(kept), bookedMicros: BigInt(booked) },
  }))
}
