import { randomBytes } from 'node:crypto'
import type { Database } from '../../projections/runner/ports.ts'

/**
 * The topics are about the positions of one event store, and what is restored has others. A new id names new topics, which
 * the relay fills from the beginning; the old ones are read by nobody and expire.
 */
export async function foundFeedAnew(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("update feed.relay set feed_id = $1, position = '', updated_at = clock_timestamp()", [
      randomBytes(6).toString('hex'),
    ])
    await sql.query('delete from feed.partitions')
  })
}
