import type { Sql } from '../runner/ports.ts'
import type { ApiKeyRow } from './projection.ts'

export function allApiKeys(sql: Sql): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>('select * from read_models.api_keys')
}

/** Keys that still count as live although their time is over, the longest overdue first. */
export function keysToExpire(sql: Sql, at: string, limit: number): Promise<Pick<ApiKeyRow, 'key_id'>[]> {
  return sql.query<Pick<ApiKeyRow, 'key_id'>>(
    "select key_id from read_models.api_keys where status = 'LIVE' and expires_at <= $1 order by expires_at limit $2",
    [at, limit],
  )
}
