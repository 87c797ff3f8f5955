import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Database, Sql } from '../../projections/runner/ports.ts'
import { SettingError } from '../config/settingError.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** An arbitrary number. Only migrations take this advisory lock, so processes that start together migrate in turn. */
const MIGRATION_LOCK = 7_011_943

/** It may wait for another process's migrations, and build indexes. */
const LONG = { isLong: true }

type Migration = { readonly name: string; readonly statements: string; readonly checksum: string }
type AppliedRow = { readonly name: string; readonly checksum: string | null }

/**
 * Brings the schema up to date and returns the names of the migrations that it applied. Each file runs once, in the
 * order of the names, in one transaction with its row in `tollgate_migrations`. The row holds the SHA-256 of the file:
 * if a file was changed after it was applied, this throws, because the schema would no longer match the files. Rows of
 * migrations that this version does not have come from a newer one and are left alone.
 */
export async function migrate(database: Database, folder: URL = FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return database.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await sql.query(
      `create table if not exists public.tollgate_migrations (
         name text primary key, applied_at timestamptz not null default now(), checksum text)`,
    )
    const applied = await readApplied(sql)
    for (const migration of migrations) requireUnchanged(migration, applied.get(migration.name))
    await fillInChecksums(
      sql,
      migrations.filter(({ name }) => applied.get(name) === null),
    )
    const missing = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, statements, checksum } of missing) {
      await sql.query(statements)
      await sql.query('insert into public.tollgate_migrations (name, checksum) values ($1, $2)', [name, checksum])
    }
    return missing.map(({ name }) => name)
  }, LONG)
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(name, folder))
      return { name, statements: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') }
    }),
  )
}

/** By name. The checksum is null in rows that were written before checksums existed; the column may be missing too. */
async function readApplied(sql: Sql): Promise<Map<string, string | null>> {
  const rows = await sql.query<AppliedRow>(
    `select name, to_jsonb(applied) ->> 'checksum' as checksum from public.tollgate_migrations as applied`,
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

function requireUnchanged({ name, checksum }: Migration, applied: string | null | undefined): void {
  if (applied === undefined || applied === null || applied === checksum) return
  throw new SettingError(
    `migration ${name} was changed after it was applied to this database (applied: SHA-256 ${applied}, ` +
      `file: ${checksum}): restore the file as it was released and put the change into a new migration`,
  )
}

async function fillInChecksums(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  if (migrations.length === 0) return
  // Only if needed, not at every start: even when the column exists, this waits for every reader, such as pg_dump.
  await sql.query('alter table public.tollgate_migrations add column if not exists checksum text')
  await sql.query(
    `update public.tollgate_migrations as applied set checksum = file.checksum
     from unnest($1::text[], $2::text[]) as file (name, checksum) where applied.name = file.name`,
    [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
  )
}
