import { createHash } from 'node:crypto'
import type { Checkpoint } from '../../contracts/position.ts'
import type { Projection } from '../projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import { columnOf } from './columnNames.ts'
import type { Database } from './ports.ts'
import { readModelSnapshot } from './snapshot.ts'
import { LIVE_SCHEMA } from './tables.ts'

export type ModelHash = { readonly positions: Checkpoint; readonly rows: number; readonly hash: string }

const ROWS_PER_FETCH = 5_000

/** One SHA-256 over the rows in key order, and the position at which they were read; null if the model is not built. */
export async function hashProjection(database: Database, projection: Projection): Promise<ModelHash | null> {
  return readModelSnapshot(database, [projection], async (sql) => {
    const checkpoint = await readCheckpoint(sql, projection.name)
    if (!checkpoint) return null
    const hash = createHash('sha256')
    let rows = 0
    await sql.query("set local time zone 'UTC'")
    await sql.query(
      `declare model_rows no scroll cursor for
       select t::text as row, ${projection.hashed ?? 'true'} as is_hashed from ${LIVE_SCHEMA}.${projection.table} t
       order by ${projection.key.map(columnOf).join(', ')}`,
    )
    for (;;) {
      const page = await sql.query<{ row: string; isHashed: boolean }>(`fetch ${ROWS_PER_FETCH} from model_rows`)
      for (const { row, isHashed } of page) if (isHashed) hash.update(`${row}\n`)
      rows += page.length
      if (page.length < ROWS_PER_FETCH) break
    }
    return { positions: checkpoint.positions, rows, hash: hash.digest('hex') }
  })
}
