import type { Projection } from '../projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { Database, Sql } from './ports.ts'
import { LIVE_SCHEMA } from './tables.ts'

/**
 * Reads matching rows and checkpoints. The tables are locked before the snapshot is taken: if a rebuild swapped in a
 * new table afterwards, its rows would all be newer than the snapshot, and the reader would find none. A model that is
 * not built yet has neither checkpoint nor table in it.
 */
export async function readModelSnapshot<Result>(
  database: Database,
  projections: readonly Pick<Projection, 'name' | 'table'>[],
  read: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const tables: string[] = []
  for (const { name, table } of projections) {
    if (await readCheckpoint(database, name)) tables.push(`${LIVE_SCHEMA}.${table}`)
  }
  return database.transaction(
    async (sql) => {
      if (tables.length > 0) await sql.query(`lock table ${tables.join(', ')} in access share mode`)
      return read(sql)
    },
    { snapshot: true, isLong: true },
  )
}
