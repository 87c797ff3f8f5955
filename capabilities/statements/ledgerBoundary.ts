import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { type LedgerPlace, placeBeforeNumber } from '../../projections/ledgerBlocks/queries.ts'
import { partBefore } from '../../projections/ledgerParts/queries.ts'
import type { Sql } from '../../projections/runner/ports.ts'
import { countedOnce, REPEATED_WITHIN_ENTRIES } from './countedOnce.ts'

/** A place between two entries of a company's ledger. */
export type LedgerBoundary = {
  /** The revision of the first entry after it, or the earliest that the next entry can have. */
  readonly revision: number
  /** The number of entries before it, which is also the number of the first entry after it. */
  readonly number: number
  /** The sum of the entries before it. */
  readonly balanceMicros: bigint
}

/** Nothing was stored before it, and the database does not accept year 0. */
const EARLIEST = '1970-01-01T00:00:00.000Z'

export type LedgerReading = { readonly database: Sql; readonly store: TypedEventStore }

/**
 * The place before the first entry that was stored at a time or later. A later time never gives an earlier place, even
 * if a clock was set back, so the ranges between consecutive times have neither gaps nor overlaps.
 */
export async function boundaryAt(reading: LedgerReading, companyId: string, at: string): Promise<LedgerBoundary> {
  const time = at < EARLIEST ? EARLIEST : at
  const place = await nearPlace(reading.database, companyId, time)
  let { revision, events: number, balanceMicros } = place
  if (place.isBoundary) return { revision, number, balanceMicros }
  for await (const event of ledgerFrom(reading, companyId, revision)) {
    if (event.recordedAt >= time) return { revision: event.revision, number, balanceMicros }
    revision = event.revision + 1
    number += 1
    balanceMicros += deltaMicros(event)
  }
  return { revision, number, balanceMicros }
}

/** The place before the entry with this number; the end of the ledger if there are fewer. */
export async function boundaryOf(reading: LedgerReading, companyId: string, wanted: number): Promise<LedgerBoundary> {
  let { revision, events: number, balanceMicros } = await placeBeforeNumber(reading.database, companyId, wanted)
  for await (const event of ledgerFrom(reading, companyId, revision)) {
    if (number >= wanted) break
    revision = event.revision + 1
    number += 1
    balanceMicros += deltaMicros(event)
  }
  return { revision, number, balanceMicros }
}

/** The entries of a ledger from a revision on, each once; the read models cover those before it. */
async function* ledgerFrom(
  { database, store }: LedgerReading,
  companyId: string,
  revision: number,
): AsyncIterable<Recorded<LedgerEvent>> {
  const stream = streamName('ledger', companyId)
  const events = store.readStream(stream, { from: revision })
  if (store.idsAreUnique) return yield* events
  const before: string[] = []
  if (revision > 0) {
    const newest = { direction: 'backwards', from: revision - 1, limit: REPEATED_WITHIN_ENTRIES } as const
    for await (const { id } of store.readStream(stream, newest)) before.push(id)
  }
  yield* countedOnce(database, companyId, events, before)
}

/** A place on a ledger before a moment. */
type NearPlace = LedgerPlace & {
  /** Whether the next entry is known to be stored at the moment or later. Otherwise the ledger must be read from here on. */
  readonly isBoundary: boolean
}

/**
 * The place before the first entry that was stored at `time` or later. If the read models end before that entry, it is
 * the place after the last entry they know.
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
