import { randomUUID } from 'node:crypto'
import type { Installation } from '../capabilities/installation.ts'
import { type StreamName, streamName } from '../contracts/streams.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../platform/eventStore/eventGuard.ts'
import { systemIds } from '../platform/ids/ids.ts'
import { creditBalances } from '../projections/creditBalances/projection.ts'
import { creditTransactions } from '../projections/creditTransactions/projection.ts'
import type { Projection } from '../projections/projection.ts'
import { rebuildProjection } from '../projections/runner/rebuild.ts'
import { usage } from '../projections/usage/projection.ts'
import { aCharge } from './benchDatabase.ts'
import { type Figure, median, ratioFigure } from './figure.ts'

const EVENTS = 100_000
const ROUNDS = 3
/** 30,000 events per second if a bare SELECT reads 200,000. */
const REBUILD_RATIO_MIN = 0.15
const SELECT = 'select position, stream, revision, event_id, type, data, metadata, recorded_at from event_store.events'

/** Measures reading a stream and rebuilding read models against a bare SELECT of the same rows. */
export async function benchReading(engines: Installation): Promise<Figure[]> {
  const stream = await fill(engines)
  const { database, store } = engines
  const bare: number[] = []
  const read: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await perSecond(async () => void (await database.query(`${SELECT} order by position`))))
    read.push(
      await perSecond(async () => {
        let count = 0
        for await (const _ of store.readStream(stream)) count++
        if (count !== EVENTS) throw new Error(`read ${count} events of ${EVENTS}`)
      }),
    )
  }
  const reference = median(bare)
  const figures = [ratioFigure('stream read', 'events/s', median(read), reference)]
  for (const projection of [creditBalances, usage, creditTransactions] as readonly Projection[]) {
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) rates.push(await perSecond(() => rebuild(engines, projection)))
    figures.push(ratioFigure(`rebuild ${projection.name}`, 'events/s', median(rates), reference, REBUILD_RATIO_MIN))
  }
  return figures
}

async function fill({ store, database }: Installation): Promise<StreamName<'ledger'>> {
  // In the benchmark's own database. Nowhere else are events removed.
  await database.query('alter table event_store.events disable trigger user')
  await database.query('truncate event_store.events, event_store.streams')
  await database.query('update event_store.counter set position = 0')
  const company = randomUUID()
  const keys = Array.from({ length: 5 }, () => randomUUID())
  const stream = streamName('ledger', company)
  for (let n = 0; n < EVENTS; n += EVENTS_PER_APPEND_MAX) {
    const events = Array.from({ length: EVENTS_PER_APPEND_MAX }, (_, i) => aCharge(company, keys[i % 5] ?? '', n + i))
    await store.append(stream, 'any', events)
  }
  await database.query('vacuum analyze event_store.events')
  return stream
}

async function rebuild({ database, store, feed }: Installation, projection: Projection): Promise<void> {
  const { idsAreUnique } = store
  const partitions = feed.partitionsOf(projection.categories)
  await rebuildProjection({
    projection,
    database,
    source: store,
    partitions,
    idsAreUnique,
    clock: systemClock,
    ids: systemIds,
  })
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return EVENTS / ((performance.now() - began) / 1000)
}
