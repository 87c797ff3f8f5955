import { randomUUID } from 'node:crypto'
import { streamName } from '../../../contracts/streams.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../../projections/creditTransactions/projection.ts'
import type { Projection } from '../../../projections/projection.ts'
import { rebuildProjection } from '../../../projections/runner/rebuild.ts'
import { systemClock } from '../../../services/platform/clock/clock.ts'
import type { Engines } from '../../../services/platform/engines.ts'
import { EVENTS_PER_APPEND_MAX } from '../../../services/platform/eventStore/eventGuard.ts'
import { systemIds } from '../../../services/platform/ids/ids.ts'
import { aCharge } from '../benchDatabase.ts'

/** Appends that share a commit. */
const APPENDS_AT_ONCE = 20
const KEYS = 5

/** Appends so many charges to the ledger of a new company, and builds the read models that an audit compares with it. */
export async function fillLedger(engines: Engines, events: number): Promise<string> {
  const { store, database } = engines
  const companyId = randomUUID()
  const keys = Array.from({ length: KEYS }, () => randomUUID())
  const stream = streamName('ledger', companyId)
  const starts = Array.from({ length: Math.ceil(events / EVENTS_PER_APPEND_MAX) }, (_, n) => n * EVENTS_PER_APPEND_MAX)
  const appendAt = (start: number) => {
    const length = Math.min(EVENTS_PER_APPEND_MAX, events - start)
    const charges = Array.from({ length }, (_, i) => aCharge(companyId, keys[i % KEYS] ?? '', start + i))
    return store.append(stream, 'any', charges)
  }
  for (let at = 0; at < starts.length; at += APPENDS_AT_ONCE) {
    await Promise.all(starts.slice(at, at + APPENDS_AT_ONCE).map(appendAt))
  }
  for (const projection of [creditBalances, creditTransactions] as readonly Projection[]) {
    await rebuild(engines, projection)
  }
  await database.query('vacuum analyze event_store.events')
  await database.query('vacuum analyze read_models.credit_transactions')
  return companyId
}

function rebuild({ database, store, feed }: Engines, projection: Projection) {
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
