import { randomBytes } from 'node:crypto'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import type { Database } from '../../projections/runner/ports.ts'

/**
 * Resets everything that refers to positions of the old event store, because those of the restored store differ. A new
 * feed id names new topics, which the relay fills from the beginning; the old topics are no longer read and expire.
 * Holds of calls are deleted too (in Redis they are stored under the feed id). So are the positions of workers: they
 * start from the beginning and find their finished tasks in the streams. Credit lots are folded again. The tree of the transparency log is deleted; the
 * sealer builds it again. Messages to webhook endpoints begin a new series of numbers, because some may have been sent
 * after the backup.
 */
export async function resetFeed(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query("update feed.relay set feed_id = $1, position = '', updated_at = clock_timestamp()", [
      randomBytes(6).toString('hex'),
    ])
    await sql.query('delete from feed.partitions')
    await sql.query('truncate platform.holds, platform.settled_holds, platform.hold_companies')
    await sql.query('truncate platform.tasks, platform.worker_memory, platform.worker_counted')
    await sql.query('truncate platform.webhook_notices, platform.webhook_counters, platform.webhook_deliveries')
    await sql.query('truncate ledger_log.entries, ledger_log.tiles, ledger_log.checkpoints, ledger_log.key_rotations')
    // The epoch stays: it is that of the last sealer's lease, and every later sealer has a higher one.
    await sql.query(
      `update ledger_log.progress set position = '', size = 0, origin = null, origin_number = -1, fault = null,
         fault_event = null, key_fault = null, receipt_fault = null, receipt_event = null, receipt_fault_at = null,
         generation = generation + 1`,
    )
    await sql.query('truncate credit_lots.companies, credit_lots.lots, credit_lots.charges, credit_lots.entries')
    await sql.query("update credit_lots.progress set position = ''")
    // The checkpoints of read models are written when those are rebuilt.
    await sql.query('delete from read_models.checkpoints where not (projection = any($1))', [
      PROJECTIONS.map(({ name }) => name),
    ])
  })
}
