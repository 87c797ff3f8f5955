import type { Database, Sql } from '../../projections/runner/ports.ts'

/** The log secret of a company in a backup, in base64. */
export type SavedSaltSecret = { readonly companyId: string; readonly secret: string; readonly createdAt: string }

/** All log secrets, a page at a time, for a backup: without them no entry of the log can be recomputed. */
export async function* saltSecretPages(database: Database, rowsMax: number): AsyncIterable<SavedSaltSecret[]> {
  for (let after: string | null = null; ; ) {
    const rows: { companyId: string; secret: Buffer; createdAt: string }[] = await database.query(
      `select company_id, secret, created_at from platform.log_secrets
       where $1::uuid is null or company_id > $1 order by company_id limit $2`,
      [after, rowsMax],
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => ({ ...row, secret: row.secret.toString('base64') }))
    after = last.companyId
  }
}

/** Writes the secrets of a backup. Throws if a company has a different secret. */
export async function restoreSaltSecrets(sql: Sql, secrets: readonly SavedSaltSecret[]): Promise<void> {
  await sql.query(
    `insert into platform.log_secrets (company_id, secret, created_at)
     select company_id, decode(secret, 'base64'), created_at
     from unnest($1::uuid[], $2::text[], $3::timestamptz[]) as saved (company_id, secret, created_at)
     on conflict (company_id) do nothing`,
    [
      secrets.map(({ companyId }) => companyId),
      secrets.map(({ secret }) => secret),
      secrets.map(({ createdAt }) => createdAt),
    ],
  )
  await requireNoOtherSaltSecret(sql, secrets)
}

/** Throws if one of these companies has a different secret in the database. */
export async function requireNoOtherSaltSecret(sql: Sql, secrets: readonly SavedSaltSecret[]): Promise<void> {
  const [other] = await sql.query<{ companyId: string }>(
    `select company_id from platform.log_secrets
     join unnest($1::uuid[], $2::text[]) as saved (company_id, secret) using (company_id)
     where log_secrets.secret <> decode(saved.secret, 'base64') order by company_id limit 1`,
    [secrets.map(({ companyId }) => companyId), secrets.map(({ secret }) => secret)],
  )
  if (!other) return
  throw new Error(
    `the database holds another log secret of company ${other.companyId} than the backup, so it belongs to another ` +
      'installation or to a later one: empty the database and the event store, and restore again',
  )
}
