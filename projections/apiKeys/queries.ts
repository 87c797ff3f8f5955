import type { Sql } from '../runner/ports.ts'
import type { ApiKeyRow } from './projection.ts'

export function allApiKeys(sql: Sql): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>('select * from read_models.api_keys')
}

/** The position of a key in the list of expiring keys. */
export type ExpiryPlace = { readonly expiresAt: string; readonly keyId: string }

/** Keys that expire within the time, the earliest first, except those with a shorter lifetime from the start. */
export function keysExpiringSoon(
  sql: Sql,
  range: { readonly after: ExpiryPlace; readonly to: string; readonly lifetimeMs: number },
  limit: number,
): Promise<Pick<ApiKeyRow, 'keyId' | 'companyId' | 'name' | 'hint' | 'expiresAt'>[]> {
  return sql.query(
    `select key_id, company_id, name, hint, expires_at from read_models.api_keys
     where status = 'LIVE' and (expires_at, key_id) > ($1, $2::uuid) and expires_at <= $3
       and expires_at - minted_at > $4 * interval '1 ms'
     order by expires_at, key_id limit $5`,
    [range.after.expiresAt, range.after.keyId, range.to, range.lifetimeMs, limit],
  )
}

/** Keys that are still live although they have expired, the longest overdue first. */
export function keysToExpire(sql: Sql, at: string, limit: number): Promise<Pick<ApiKeyRow, 'keyId'>[]> {
  return sql.query<Pick<ApiKeyRow, 'keyId'>>(
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

/** All keys of companies with budgets, including the siblings that share one. */
export function keysOfBudgetedCompanies(sql: Sql): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select * from read_models.api_keys
     where company_id in (select company_id from read_models.api_keys where budget_micros is not null)`,
  )
}

export function keyHints(sql: Sql, keyIds: readonly string[]): Promise<Pick<ApiKeyRow, 'keyId' | 'hint'>[]> {
  return sql.query('select key_id, hint from read_models.api_keys where key_id = any($1::uuid[])', [keyIds])
}
