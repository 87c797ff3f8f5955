import { randomUUID } from 'node:crypto'
import type { Installation } from '../capabilities/installation.ts'
import type { NewEvent } from '../contracts/envelope.ts'
import { streamName } from '../contracts/streams.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../platform/eventStore/eventGuard.ts'
import type { EventStore } from '../platform/eventStore/port.ts'
import { systemIds } from '../platform/ids/ids.ts'
import type { Projection } from '../projections/projection.ts'
import { rebuildProjection } from '../projections/runner/rebuild.ts'
import type { Pace } from './benchCommand.ts'
import { aCharge } from './benchDatabase.ts'

/** How many appends share a commit. */
const APPENDS_AT_ONCE = 20
const KEYS = 5
const EVENTS = 1_000_000
const SHORT_PACE_EVENTS = 20_000
const SHORT_LEDGER_PART = 5

/** Appends the charges to the ledger of a company. */
export async function appendCalls(
  store: Pick<EventStore, 'append'>,
  companyId: string,
  count: number,
  charge: (n: number) => NewEvent,
): Promise<void> {
  const stream = streamName('ledger', companyId)
  const starts = Array.from({ length: Math.ceil(count / EVENTS_PER_APPEND_MAX) }, (_, n) => n * EVENTS_PER_APPEND_MAX)
  const appendAt = (start: number) => {
    const length = Math.min(EVENTS_PER_APPEND_MAX, count - start)
    const charges = Array.from({ length }, (_, i) => charge(start + i))
    return store.append(stream, 'any', charges)
  }
  for (let at = 0; at < starts.length; at += APPENDS_AT_ONCE) {
    await Promise.all(starts.slice(at, at + APPENDS_AT_ONCE).map(appendAt))
  }
}

/** The companies whose ledgers a benchmark compares. */
export type Ledgers = {
  readonly short: string
  readonly shortEntries: number
  readonly long: string
  readonly longEntries: number
}

/** Creates a long ledger and one of a fifth of its length, each of a new company, and the read models of both. */
export async function fillLedgers(
  engines: Installation,
  { isShort }: Pace,
  models: readonly Projection[],
): Promise<Ledgers> {
  const longEntries = isShort ? SHORT_PACE_EVENTS : EVENTS
  const shortEntries = longEntries / SHORT_LEDGER_PART
  const short = await fillLedger(engines, shortEntries)
  const long = await fillLedger(engines, longEntries)
  for (const projection of models) await buildModel(engines, projection)
  await engines.database.query('vacuum analyze')
  return { short, shortEntries, long, longEntries }
}

/** Appends this many charges to the ledger of a new company. */
export async function fillLedger({ store, database }: Installation, events: number): Promise<string> {
  const companyId = randomUUID()
  const keys = Array.from({ length: KEYS }, () => randomUUID())
  await appendCalls(store, companyId, events, (n) => aCharge(companyId, keys[n % KEYS] ?? '', n))
  await database.query('vacuum analyze event_store.events')
  return companyId
}

/** Builds a read model from the events of the store. */
export function buildModel({ database, store, feed }: Installation, projection: Projection): Promise<unknown> {
  return rebuildProjection({
    projection,
    database,
    source: store,
    partitions: feed.partitionsOf(projection.categories),
    idsAreUnique: store.idsAreUnique,
    clock: systemClock,
    ids: systemIds,
  })
}
