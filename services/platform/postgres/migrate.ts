import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '../../../projections/runner/ports.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** An arbitrary number that only migrations lock, so that two starting processes do not migrate at once. */
const MIGRATION_LOCK = 7_011_943

/** Brings the schema up to date. Each file runs once, in the order of its name, in one transaction with its record. */
export async function migrate(database: Database): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()
  return database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await sql.query(
      'create table if not exists public.tollgate_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const done = new Set(
      (await sql.query<{ name: string }>('select name from public.tollgate_migrations')).map((row) => row.name),
    )
    const missing = files.filter((name) => !done.has(name))
    for (const name of missing) {
      await sql.query(await readFile(new URL(name, FOLDER), 'utf8'))
      await sql.query('insert into public.tollgate_migrations (name) values ($1)', [name])
    }
    return missing
  })
}
