import type { Database } from '../../projections/runner/ports.ts'
import type { WireName } from '../providers/wires.ts'

/** Shared by all super admins: each trial call costs what the provider charges for it. */
export const TRIAL_CALLS_PER_MINUTE_MAX = 20
/** How long the table keeps who made a trial call, and what it cost. */
const TRIAL_CALLS_KEPT_DAYS = 90
/** A trial call that no gateway takes within this time is not made: its backend has given up. */
export const TRIAL_CALL_TAKEN_MS_MAX = 10_000
/** A gateway gives up a trial call after this time. */
export const TRIAL_CALL_MS_MAX = 30_000

/** A call that a super admin requests, through one provider of an alias. */
export type TrialCall = {
  readonly callId: string
  readonly alias: string
  readonly provider: string
  readonly wire: WireName
}

export type TrialCallResult = {
  /** From the provider's answer; null if there was none. */
  readonly status: number | null
  /** From the request to the start of the answer, including a new connection; null without an answer. */
  readonly firstByteMs: number | null
  readonly totalMs: number
  /** null if the answer has no usage. */
  readonly tokensIn: number | null
  readonly tokensOut: number | null
  /** What the provider charges us; null if neither PROVIDERS_FILE nor the answer says. */
  readonly costMicros: string | null
  readonly costCurrency: string | null
  /** What went wrong, in words for the operator; null if the answer was usable. */
  readonly error: string | null
}

export type TrialCallState = 'waiting' | 'taken' | TrialCallResult

type Sql = Pick<Database, 'query'>

/**
 * Queues a trial call for the gateways. Returns null, or, if too many were made in the last minute, the milliseconds
 * until there is room for another. Times are those of the database.
 */
export async function requestTrialCall(
  database: Database,
  { callId, alias, provider, wire }: TrialCall,
  userId: string,
): Promise<number | null> {
  return database.transaction(async (sql) => {
    // One after the other, so that two concurrent ones do not both take the last place.
    await sql.query("select pg_advisory_xact_lock(hashtext('test calls'))")
    await sql.query("delete from platform.test_calls where asked_at < clock_timestamp() - $1 * interval '1 day'", [
      TRIAL_CALLS_KEPT_DAYS,
    ])
    const recent = await sql.query<{ msLeft: string }>(
      `select ceil(extract(epoch from asked_at + interval '1 minute' - clock_timestamp()) * 1000) as ms_left
       from platform.test_calls where asked_at > clock_timestamp() - interval '1 minute'
       order by asked_at desc limit $1`,
      [TRIAL_CALLS_PER_MINUTE_MAX],
    )
    const oldest = recent[TRIAL_CALLS_PER_MINUTE_MAX - 1]
    if (oldest) return Math.max(1, Number(oldest.msLeft))
    await sql.query(
      `insert into platform.test_calls (call_id, alias, provider, wire, asked_by, asked_at)
       values ($1, $2, $3, $4, $5, clock_timestamp())`,
      [callId, alias, provider, wire, userId],
    )
    return null
  })
}

/** Takes the oldest waiting trial call; null if there is none. */
export async function takeTrialCall(sql: Sql): Promise<TrialCall | null> {
  const [row] = await sql.query<TrialCall>(
    `update platform.test_calls set taken_at = clock_timestamp()
     where call_id = (
       select call_id from platform.test_calls
       where taken_at is null and asked_at > clock_timestamp() - $1 * interval '1 ms'
       order by asked_at limit 1 for update skip locked
     )
     returning call_id, alias, provider, wire`,
    [TRIAL_CALL_TAKEN_MS_MAX],
    'take test call',
  )
  return row ?? null
}

export async function finishTrialCall(sql: Sql, callId: string, result: TrialCallResult): Promise<void> {
  await sql.query('update platform.test_calls set result = $2, finished_at = clock_timestamp() where call_id = $1', [
    callId,
    JSON.stringify(result),
  ])
}

export async function readTrialCall(sql: Sql, callId: string): Promise<TrialCallState | null> {
  const [row] = await sql.query<{ isTaken: boolean; result: TrialCallResult | null }>(
    'select taken_at is not null as is_taken, result from platform.test_calls where call_id = $1',
    [callId],
  )
  if (!row) return null
  return row.result ?? (row.isTaken ? 'taken' : 'waiting')
}
