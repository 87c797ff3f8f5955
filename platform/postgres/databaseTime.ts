import type { Sql } from '../../projections/runner/ports.ts'

/** The clock of the database server, in milliseconds since 1970: one clock for all processes. */
export async function databaseNowMs(sql: Pick<Sql, 'query'>): Promise<number> {
  const [row] = await sql.query<{ ms: string }>('select floor(extract(epoch from clock_timestamp()) * 1000) as ms')
  return Number(row?.ms)
}
