import type { Database } from '../../projections/runner/ports.ts'

export const LEASE_RENEWAL_MS = 1_000

export type LeaseStatus = {
  readonly name: string
  readonly holder: string
  readonly epoch: number
  /** The time until it expires; negative if it has expired. */
  readonly msLeft: number
}

/** A lease with its times, by the clock of the database. */
export type LeaseTerm = LeaseStatus & {
  /** ISO 8601; when the holder took it. null if it was taken before this was recorded. */
  readonly takenAt: string | null
  readonly expiresAt: string
}

type LeaseTable = Pick<Database, 'query'>

/** Takes the lease if it is free. Returns its epoch, one higher than the last holder's; null if it is held. */
export async function takeLease(sql: LeaseTable, name: string, holder: string, ttlMs: number): Promise<number | null> {
  const [row] = await sql.query<{ epoch: string }>(
    `insert into platform.leases as l (name, holder, epoch, taken_at, expires_at)
     values ($1, $2, 1, clock_timestamp(), clock_timestamp() + $3 * interval '1 ms')
     on conflict (name) do update
       set holder = excluded.holder, epoch = l.epoch + 1, taken_at = excluded.taken_at, expires_at = excluded.expires_at
       where l.expires_at <= clock_timestamp()
     returning epoch`,
    [name, holder, ttlMs],
  )
  return row ? Number(row.epoch) : null
}

/** False if another process has taken the lease. An expired lease that is still free is renewed. */
export async function renewLease(sql: LeaseTable, name: string, epoch: number, ttlMs: number): Promise<boolean> {
  const renewed = await sql.query(
    `update platform.leases set expires_at = clock_timestamp() + $3 * interval '1 ms'
     where name = $1 and epoch = $2 returning 1`,
    [name, epoch, ttlMs],
  )
  return renewed.length === 1
}

/** Ends the lease, so that the next holder need not wait for it to expire. */
export async function releaseLease(sql: LeaseTable, name: string, epoch: number): Promise<void> {
  await sql.query('update platform.leases set expires_at = clock_timestamp() where name = $1 and epoch = $2', [
    name,
    epoch,
  ])
}

/** All leases, for operators. */
export async function readLeases(sql: LeaseTable): Promise<LeaseTerm[]> {
  const rows = await sql.query<Omit<LeaseTerm, 'epoch' | 'msLeft'> & { epoch: string; msLeft: string }>(
    `select name, holder, epoch, round(extract(epoch from expires_at - clock_timestamp()) * 1000) as ms_left,
            taken_at, expires_at
     from platform.leases order by name`,
  )
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch), msLeft: Number(row.msLeft) }))
}
