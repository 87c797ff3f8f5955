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

/** A company's keys, the newest first. */
export function apiKeysOf(sql: Sql, companyId: string, limit: number): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    'select * from read_models.api_keys where company_id = $1 order by minted_at desc, key_id limit $2',
    [companyId, limit],
  )
}

export async function apiKeyOf(sql: Sql, companyId: string, keyId: string): Promise<ApiKeyRow | null> {
  const [row] = await sql.query<ApiKeyRow>('select * from read_models.api_keys where company_id = $1 and key_id = $2', [
    companyId,
    keyId,
  ])
  return row ?? null
}
