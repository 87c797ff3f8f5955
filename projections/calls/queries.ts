import { callsSeenBy, keysMintedBy, projectsOf } from '../apiKeys/seenBy.ts'
import type { Sql } from '../runner/ports.ts'
import type { CallRow, CallState } from './projection.ts'

export async function callOf(sql: Sql, companyId: string, callId: string): Promise<CallRow | null> {
  const [row] = await sql.query<CallRow>('select * from read_models.calls where call_id = $1 and company_id = $2', [
    callId,
    companyId,
  ])
  return row ?? null
}

/** Whether a user who does not see all calls of the company may see a call of this key and this project. */
export async function isCallSeenBy(
  sql: Sql,
  { companyId, keyId, projectId }: Pick<CallRow, 'companyId' | 'keyId' | 'projectId'>,
  userId: string,
): Promise<boolean> {
  const [row] = await sql.query<{ isSeen: boolean }>(
    `select ${callsSeenBy('$2', 'uuid')} as is_seen from (select $3::uuid as key_id, $4::uuid as project_id) call`,
    [companyId, userId, keyId, projectId],
  )
  return row?.isSeen ?? false
}

/** The place of a call in the list. */
export type CallPlace = { readonly finishedAt: string; readonly callId: string }

export type CallsQuery = {
  readonly companyId: string
  readonly keyId: string | null
  /** Only calls that were made in this project. */
  readonly projectId: string | null
  /** Only calls that this user may see. */
  readonly seenBy?: string | null
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
  const { companyId, keyId, projectId, seenBy = null, alias, label, state, from, to, before, limit } = query
  const values: unknown[] = []
  const value = (each: unknown) => `$${values.push(each)}`
  const conditions = [`company_id = ${value(companyId)}`]
  if (keyId !== null) conditions.push(`key_id = ${value(keyId)}`)
  if (projectId !== null) conditions.push(`project_id = ${value(projectId)}`)
  if (alias !== null) conditions.push(`alias = ${value(alias)}`)
  if (label !== null) conditions.push(`label = ${value(label)}`)
  // A literal, because the index covers only the rare states.
  if (state !== null) conditions.push(`state = '${state}'`)
  if (from !== null) conditions.push(`finished_at >= ${value(from)}`)
  if (to !== null) conditions.push(`finished_at < ${value(to)}`)
  if (before !== null) {
    conditions.push(`(finished_at, call_id) < (${value(before.finishedAt)}, ${value(before.callId)}::uuid)`)
  }
  const order = `order by finished_at desc, call_id desc limit ${value(limit)}`
  const page = (...more: string[]) =>
    `select * from read_models.calls where ${[...conditions, ...more].join(' and ')} ${order}`
  return sql.query<CallRow>(seenBy === null ? page() : pageSeenBy(value(seenBy), page, order), values)
}

/**
 * The newest calls of each key and project that the user may see are read from its index. One scan of all calls of the company would
 * be long if only few of them are visible.
 */
function pageSeenBy(user: string, page: (condition: string) => string, order: string): string {
  return `select * from (
      select c.* from (${keysMintedBy(user)}) k cross join lateral (${page('key_id = k.key_id')}) c
      union
      select c.* from (${projectsOf(user)}) p cross join lateral (${page('project_id = p.project_id')}) c
    ) seen ${order}`
}
