import type { Database, SqlRow } from '../../../projections/runner/ports.ts'

/** Changes or removes stored events. Only the owner of the table can do this, by disabling its triggers. */
export function tamper(database: Database, statement: string, values: readonly unknown[] = []): Promise<SqlRow[]> {
  return database.transaction(async (sql) => {
    await sql.query('alter table event_store.events disable trigger user')
    const rows = await sql.query(statement, values)
    await sql.query('alter table event_store.events enable always trigger events_stay')
    await sql.query('alter table event_store.events enable always trigger events_stay_all')
    return rows
  })
}
