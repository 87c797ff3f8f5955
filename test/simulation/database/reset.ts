import type { PGlite } from '@electric-sql/pglite'

/** 16 MB each. */
const LOG_FILES_MAX = 2

type Table = { readonly name: string; readonly rows: string | null }

/** Puts a database back to the contents of its template, as the owner of the tables. */
export class DatabaseReset {
  readonly #pglite: PGlite
  readonly #tables: readonly Table[]

  private constructor(pglite: PGlite, tables: readonly Table[]) {
    this.#pglite = pglite
    this.#tables = tables
  }

  static async of(pglite: PGlite): Promise<DatabaseReset> {
    const { rows } = await pglite.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') and tablename <> 'tollgate_migrations' order by 1`,
    )
    const tables: Table[] = []
    for (const { name } of rows) {
      const { rows: found } = await pglite.query<{ rows: string | null }>(
        `select json_agg(t)::text as rows from ${name} t`,
      )
      tables.push({ name, rows: found[0]?.rows ?? null })
    }
    return new DatabaseReset(pglite, tables)
  }

  async run(): Promise<void> {
    await this.#removeOldLog()
    const names = this.#tables.map(({ name }) => name).join(', ')
    await this.#pglite.exec(
      `rollback; deallocate all; reset all; unlisten *;
       alter table event_store.events disable trigger user;
       truncate ${names} restart identity cascade;
       alter table event_store.events enable always trigger events_stay;
       alter table event_store.events enable always trigger events_stay_all;`,
    )
    for (const { name, rows } of this.#tables) {
      if (rows === null) continue
      await this.#pglite.query(
        `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, $1)`,
        [rows],
      )
    }
  }

  /** Nothing else writes checkpoints here, and until there is one, the log of the database grows in memory. */
  async #removeOldLog(): Promise<void> {
    const { rows } = await this.#pglite.query<{ files: number }>('select count(*)::int as files from pg_ls_waldir()')
    if ((rows[0]?.files ?? 0) > LOG_FILES_MAX) await this.#pglite.exec('checkpoint')
  }
}
