import { randomBytes } from 'node:crypto'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Database } from '../../projections/runner/ports.ts'

/**
 * The topics are about the positions of one event store, and what is restored has others. A new id names new topics, which
 * the relay fills from the beginning; the old ones are read by nobody and expire. What was held for calls goes by
 * positions too: in Redis it stands under the same id, here it is forgotten. So is how far workers have read: they begin
 * anew, and find in the streams of their tasks what was done.
 */
export async function resetFeed(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("update feed.relay set feed_id = $1, position = '', updated_at = clock_timestamp()", [
      randomBytes(6).toString('hex'),
    ])
    await sql.query('delete from feed.partitions')
    await sql.query('truncate platform.holds, platform.settled_holds, platform.hold_companies')
    await sql.query('truncate platform.tasks, platform.worker_memory, platform.worker_counted')
    // Those of read models are written when these are built.
    await sql.query('delete from read_models.checkpoints where not (projection = any($1))', [
      PROJECTIONS.map(({ name }) => name),
    ])
  })
}
