import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../../platform/eventStore/postgres/postgresEventStore.ts'
import { storeFeed } from '../../../platform/feed/storeFeed.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { placeOf } from '../../../projections/runner/checkpoints.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import { withoutUpcasting } from '../../../test/support/eventStores/withoutUpcasting.ts'
import { anEvent } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { followPaymentEvents, PAYMENT_EVENTS_UNDER_WAY_MAX } from './followPaymentEvents.ts'

let database: PostgresDatabase
let close: () => Promise<void>
let store: PostgresEventStore
beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
  store = new PostgresEventStore(database, systemClock)
})
afterAll(async () => {
  await store.close()
  await close()
})

let appended = 0
const receive = async () => {
  const stream = `webhook-evt_${++appended}`
  await store.append(stream, 'none', [anEvent()])
  return stream
}
const place = () => placeOf(database, 'reactor-webhooks', 'all')

/** Starts to follow; `given` lists the streams in the order of processing, `finish` ends one of them. */
function begin() {
  const given: string[] = []
  const open = new Map<string, () => void>()
  const stopping = new AbortController()
  const ended = followPaymentEvents(
    {
      database,
      feed: storeFeed(withoutUpcasting(store)),
      clock: systemClock,
      log: openLog({ level: 'silent', file: null }).log,
      process: ({ stream }, signal) =>
        new Promise((resolve, reject) => {
          given.push(stream)
          open.set(stream, resolve)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    },
    stopping.signal,
  )
  return {
    given,
    finish: (stream: string) => open.get(stream)?.(),
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

test('the stored position passes only processed events; after a crash the rest is delivered again', async () => {
  const first = begin()
  const slow = await receive()
  await until('it is begun', () => first.given.length === 1)
  const quick = await receive()
  // A slow event does not block the others.
  await until('the next is begun, too', () => first.given.length === 2)
  first.finish(quick)
  const before = await place()
  await first.stop()
  expect(await place()).toBe(before)

  const second = begin()
  await until('both come again', () => second.given.length === 2)
  expect(second.given).toEqual([slow, quick])
  second.finish(slow)
  second.finish(quick)
  await until('the place has moved', async () => (await place()) > before)
  await second.stop()

  const third = begin()
  const late = await receive()
  await until('the new one is begun', () => third.given.includes(late))
  expect(third.given).toEqual([late])
  const behind = await place()
  third.finish(late)
  await until('the place has moved again', async () => (await place()) > behind)
  await third.stop()
})

test('no more events are processed at once than the limit allows', async () => {
  const streams: string[] = []
  for (let n = 0; n < PAYMENT_EVENTS_UNDER_WAY_MAX + 3; n++) streams.push(await receive())
  const reactor = begin()
  await until('the room is full', () => reactor.given.length >= PAYMENT_EVENTS_UNDER_WAY_MAX)
  expect(reactor.given).toHaveLength(PAYMENT_EVENTS_UNDER_WAY_MAX)
  for (const stream of reactor.given.slice(0, 3)) reactor.finish(stream)
  await until('the others have their turns', () => reactor.given.length === streams.length)
  await reactor.stop()
})
