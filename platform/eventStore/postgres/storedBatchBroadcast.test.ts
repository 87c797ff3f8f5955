import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { BEGINNING } from '../../../contracts/position.ts'
import { PostgresStoreHarness } from '../../../test/support/databases/postgresStore.ts'
import { anEvent, collect } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { PostgresEventStore } from './postgresEventStore.ts'

/** Runs in its own thread: appends two events to one stream and one to another, and ends. */
const OTHER_THREAD = `
  const { workerData } = require('node:worker_threads')
  const { platform, url, events } = workerData
  const files = ['eventStore/postgres/postgresEventStore.ts', 'postgres/database.ts', 'clock/clock.ts']
  Promise.all(files.map((file) => import(platform + file)))
    .then(async ([{ PostgresEventStore }, { openDatabase }, { systemClock }]) => {
      const database = openDatabase({ url })
      const store = new PostgresEventStore(database, systemClock, { sharedByThreads: true })
      await Promise.all([store.append('test-1', 'any', events.slice(0, 2)), store.append('test-2', 'none', events.slice(2))])
      await store.close()
      await database.close()
    })`

test('a subscriber gets events that another thread stored without a read, equal to what a read returns', async () => {
  const harness = await PostgresStoreHarness.open()
  const reads = Promise.withResolvers<void>()
  let held = false
  const store = new PostgresEventStore(
    {
      ...harness.database,
      query: async (text, values) => {
        if (held) await reads.promise
        return harness.database.query(text, values)
      },
    },
    systemClock,
    { sharedByThreads: true },
  )
  const end = new AbortController()
  onTestFinished(async () => {
    reads.resolve()
    end.abort()
    await store.close()
    await harness.close()
  })

  await harness.store.append('test-1', 'none', [anEvent()])
  const seen: unknown[] = []
  const following = (async () => {
    for await (const batch of store.subscribe({ after: BEGINNING, signal: end.signal })) seen.push(...batch.events)
  })()
  await until('the first event is read', () => seen.length === 1)
  // The tail reads once more when its listener has connected.
  await until('the tail listens', async () => (await harness.sessions('live tail', "state = 'idle'"))[0])
  await harness.store.append('test-1', 'any', [anEvent()])
  await until('the second event is read', () => seen.length === 2)
  held = true

  const platform = new URL('../../', import.meta.url).href
  const workerData = { platform, url: harness.database.url, events: [anEvent(), anEvent(), anEvent()] }
  const thread = new Worker(OTHER_THREAD, { eval: true, workerData })
  await new Promise((resolve) => thread.once('exit', resolve))
  await until('the events of the other thread have arrived', () => seen.length === 5)
  const stored = [await collect(harness.store.readStream('test-1')), await collect(harness.store.readStream('test-2'))]
  expect(seen).toEqual(stored.flat())
  end.abort()
  reads.resolve()
  await following
})
