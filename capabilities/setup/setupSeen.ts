import type { Sql } from '../../projections/runner/ports.ts'

/** Things that are recorded when they work for the first time. */
export type Seen = 'mail'

export async function recordSeen(sql: Sql, what: Seen): Promise<void> {
  await sql.query('insert into platform.setup_seen (what) values ($1) on conflict do nothing', [what])
}

export async function wasSeen(sql: Sql, what: Seen): Promise<boolean> {
  return (await sql.query('select 1 from platform.setup_seen where what = $1', [what])).length > 0
}
