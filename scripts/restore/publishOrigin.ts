import type { Sql } from '../../projections/runner/ports.ts'

/**
 * Sets the origin that the log has from now on. The sealer reads it from the store, too, but only after all earlier events: until then
 * checkpoints and keys of earlier origins would be served, which the restored log may contradict. `number` is the revision
 * that the origin is from.
 */
export async function publishOrigin(sql: Sql, origin: string, number: number): Promise<void> {
  await sql.query('update ledger_log.progress set origin = $1, origin_number = $2', [origin, number])
}
