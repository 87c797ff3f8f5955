import type { Projection } from '../projection.ts'
import type { Sql } from './ports.ts'
import { LIVE_SCHEMA } from './tables.ts'

/**
 * Called after many events were stored or applied at once. The database notices only minutes later, and until then
 * plans for the old sizes: a page of the sealer then reads twenty times as many events as it has.
 */
export async function refreshStatistics(sql: Sql, projections: readonly Projection[]): Promise<void> {
  const tables = projections.map(({ table }) => `${LIVE_SCHEMA}.${table}`)
  await sql.query(`analyze ${['event_store.events', ...tables].join(', ')}`)
}
