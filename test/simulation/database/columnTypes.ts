import type { PGlite } from '@electric-sql/pglite'
import { PROJECTIONS } from '../../../projections/catalogue.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { LIVE_SCHEMA, writeRows } from '../../../projections/runner/tables.ts'

/**
 * The first write of a read model in a real process asks for its column types, and later ones remember them. All of
 * them are asked for before the first run, so that no run has a statement that others do not have.
 */
export async function rememberColumnTypes(pglite: PGlite): Promise<void> {
  for (const projection of PROJECTIONS) {
    const sql: Pick<Sql, 'query'> = {
      query: async (text: string, values: readonly unknown[] = []) => {
        if (!text.includes('pg_attribute')) return []
        return (await pglite.query(text, [...values])).rows as never[]
      },
    }
    await writeRows(sql as Sql, projection, LIVE_SCHEMA, [])
  }
}
