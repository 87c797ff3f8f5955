import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { SEALED_SCHEMA } from './tables.ts'

/** A checkpoint that the log has published. */
export type ShownCheckpoint = { readonly number: number; readonly size: number; readonly signedAt: string }

/** The last checkpoint that the log has published, of any origin. Its event was stored before. */
export async function lastShown(sql: Sql): Promise<ShownCheckpoint | null> {
  const [row] = await sql.query<{ number: string; size: string; signedAt: string }>(
    `select number, size, signed_at from ${SEALED_SCHEMA}.checkpoints order by checkpoints.number desc limit 1`,
  )
  return row ? { number: Number(row.number), size: Number(row.size), signedAt: row.signedAt } : null
}

export const isGone = ({ size, signedAt }: ShownCheckpoint): string =>
  `the checkpoint of ${size} entries that was signed at ${signedAt} is no longer in the store`

/** How many events between two revisions of the stream of checkpoints were removed from the store. */
export async function removedEvents(
  store: Pick<EventStore, 'foreignEvents'>,
  from: number,
  until: number,
): Promise<number> {
  if (from >= until) return 0
  // Readers do not see events of other applications, but those have revisions too.
  let removed = until - from
  for await (const { revision } of store.foreignEvents(CHECKPOINTS_STREAM)) {
    if (revision >= from && revision < until) removed -= 1
  }
  return removed
}
