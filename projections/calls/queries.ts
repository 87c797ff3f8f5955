import type { Sql } from '../runner/ports.ts'
import type { CallRow, CallState } from './projection.ts'

export async function callOf(sql: Sql, companyId: string, callId: string): Promise<CallRow | null> {
  const [row] = await sql.query<CallRow>('select * from read_models.calls where call_id = $1 and company_id = $2', [
    callId,
    companyId,
  ])
  return row ?? null
}

/** The place of a call in the list. */
export type CallPlace = { readonly finishedAt: string; readonly callId: string }

export type CallsQuery = {
  readonly companyId: string
  readonly keyId: string | null
  /** Only calls of keys that this user minted. */
  readonly mintedBy?: string | null
  readonly alias: string | null
  readonly label: string | null
  readonly state: CallState | null
  /** Inclusive. A call counts when it finished. */
  readonly from: string | null
  /** Exclusive. */
  readonly to: string | null
  /** Only calls before this one. */
  readonly before: CallPlace | null
  readonly limit: number
}

/** Newest first. Only the requested filters are in the statement, so that the planner finds the matching index. */
export function callsPage(sql: Sql, query: CallsQuery): Promise<CallRow[]> {
  const { companyId, keyId, mintedBy = null, alias, label, state, from, to, before, limit } = query
  const values: unknown[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  const conditions = [`company_id = ${value(companyId)}`]
  if (keyId !== null) conditions.push(`key_id = ${value(keyId)}`)
  if (mintedBy !== null) {
    const own = `select key_id from read_models.api_keys where company_id = $1 and minted_by = ${value(mintedBy)}`
    conditions.push(`key_id in (${own})`)
  }
  if (alias !== null) conditions.push(`alias = ${value(alias)}`)
  if (label !== null) conditions.push(`label = ${value(label)}`)
  // A literal, because the index covers only the rare states.
  if (state !== null) conditions.push(`state = '${state}'`)
  if (from !== null) conditions.push(`finished_at >= ${value(from)}`)
  if (to !== null) conditions.push(`finished_at < ${value(to)}`)
  if (before !== null) {
    conditions.push(`(finished_at, call_id) < (${value(before.finishedAt)}, ${value(before.callId)}::uuid)`)
  }
  return sql.query<CallRow>(
    `select * from read_models.calls where ${conditions.join(' and ')}
     order by finished_at desc, call_id desc limit ${value(limit)}`,
    values,
  )
}
