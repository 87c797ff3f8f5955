import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hanging, MemoryEventStore, unavailable } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { systemIds } from '../ids/ids.ts'
import { PursuingAppender } from './pursuit.ts'
import { StoreWatch } from './storeWatch.ts'

let clock: ManualClock
let store: MemoryEventStore
let appender: PursuingAppender
let watch: StoreWatch
let lines: { readonly level: number; readonly msg: string }[]

beforeEach(() => {
  clock = new ManualClock()
  store = new MemoryEventStore({ idsAreUnique: false })
  appender = new PursuingAppender(store, clock)
  lines = []
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) })
  watch = new StoreWatch({ store, appends: appender, clock, ids: systemIds, log })
  watch.start()
})
afterEach(async () => {
  store.beforeRead = () => {}
  await watch.close()
})

/** Acts like a stopped server: reads and appends fail until the returned function is called. */
function stopStore(): () => void {
  store.beforeRead = () => {
    throw new Error('no connection')
  }
  store.failNext(...Array.from({ length: 1_000 }, () => unavailable))
  return () => {
    store.beforeRead = () => {}
    store.clearFaults()
  }
}

describe('a store that is watched', () => {
  test('counts as silent soon after it stops, even if nothing is appended', async () => {
    await clock.advance(5_000)
    expect(watch.isSilent).toBe(false)
    stopStore()
    await clock.advance(1_001)
    expect(watch.isSilent).toBe(true)
  })

  test('is probed by the watch itself, and no longer counts as silent once it accepts appends', async () => {
    const startStore = stopStore()
    await clock.advance(5_000)
    expect(watch.isSilent).toBe(true)
    // Reads alone do not end the outage.
    store.beforeRead = () => {}
    await clock.advance(5_000)
    expect(watch.isSilent).toBe(true)
    startStore()
    await clock.advance(300)
    expect(watch.isSilent).toBe(false)
  })

  test('counts as silent if reads work but an append has waited for seconds', async () => {
    const append = hanging()
    const probes = Array.from({ length: 100 }, () => hanging())
    store.failNext(append.fault, ...probes.map(({ fault }) => fault))
    void appender.append('ledger-1', 'any', [anEvent()]).catch(() => {})
    await clock.advance(6_000)
    expect(watch.isSilent).toBe(true)
  })

  test('stores nothing and is not probed while appends are answered', async () => {
    for (let n = 0; n < 20; n++) {
      await appender.append('ledger-1', 'any', [anEvent()])
      await clock.advance(500)
    }
    expect(store.sent).toHaveLength(20)
    await clock.advance(60_000)
    expect(store.stored('probe-store')).toEqual([])
  })

  test('has its outage logged when it begins, once a minute and when it ends', async () => {
    const startStore = stopStore()
    await clock.advance(130_000)
    startStore()
    await clock.advance(1_000)
    expect(lines.map(({ msg }) => msg)).toEqual([
      'the event store does not answer: billed calls are refused',
      'the event store still does not answer: billed calls are refused',
      'the event store still does not answer: billed calls are refused',
      'the event store answers again',
    ])
  })
})
