import type { LedgerPlace } from '../../projections/ledgerBlocks/queries.ts'
import { partBefore } from '../../projections/ledgerParts/queries.ts'
import type { Sql } from '../../projections/runner/ports.ts'

/** A place on a ledger before a moment. */
export type NearPlace = LedgerPlace & {
  /** Whether the entry after it is known to be stored at the moment or later. Otherwise the ledger has to be read from here on. */
  readonly isBoundary: boolean
}

/**
 * The place before the first entry that was stored at `time` or later. If the read models end before that entry, the place
 * is after the last entry that they know.
 */
export async function nearPlace(sql: Sql, companyId: string, time: string): Promise<NearPlace> {
  const { entries, ...place } = await partBefore(sql, companyId, time)
  const timeMs = Date.parse(time)
  let { revision, events, balanceMicros } = place
  for (const entry of entries) {
    if (entry.recordedMs >= timeMs) return { revision: entry.revision, events, balanceMicros, isBoundary: true }
    revision = entry.revision + 1
    events += 1
    balanceMicros += entry.deltaMicros
  }
  return { revision, events, balanceMicros, isBoundary: false }
}
