import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { startFreezingProxy } from '../../../test/support/callers/freezingProxy.ts'
import { ChildNode } from '../../../test/support/eventStores/eventStoreNode/childNode.ts'
import { EventStoreNode } from '../../../test/support/eventStores/eventStoreNode/node.ts'
import { anEvent, collect } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../ids/ids.ts'
import { AppendOutcomeUnknown, type EventBatch, type EventStore, StoreUnavailable } from '../port.ts'
import { PursuingAppender } from '../pursuit.ts'
import { RECENT_EVENTS_MAX } from '../recentEvents.ts'
import { READ_PAGE_EVENTS_MAX } from '../storeLimits.ts'
import { openEventStoreDb } from './eventStoreDb.ts'

/** Enough for a busy machine to store what is answered. */
const TIMEOUT_MS = 3_000
/** Enough for a busy machine to try what must fail. */
const DOWN_MS = 6_000

const open = (url: string, appendTimeoutMs = 5_000) =>
  openEventStoreDb(url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
    appendTimeoutMs,
  })

let node: EventStoreNode
const stores: EventStore[] = []
const opened = (url = node.url, appendTimeoutMs?: number) => {
  const store = open(url, appendTimeoutMs)
  stores.push(store)
  return store
}
beforeEach(async () => {
  node = await EventStoreNode.start()
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  await node.stop()
})

describe('an append', () => {
  test('that the server never answers times out with an unknown outcome, and the next one succeeds', async () => {
    const store = opened(node.url, TIMEOUT_MS)
    await store.append('test-1', 'none', [anEvent()])
    node.faults.arm({ fault: 'neverAnswer' })
    await expect(store.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    expect(await store.append('test-1', 0, [anEvent()])).toMatchObject({ revision: 1 })
  })

  test('that is answered after its time-out stays unknown', async () => {
    const store = opened(node.url, TIMEOUT_MS)
    await store.append('test-1', 'none', [anEvent()])
    node.faults.arm({ fault: 'holdAck' })
    const held = store.append('test-1', 'any', [anEvent()])
    const beside = store.append('test-2', 'any', [anEvent()])
    await expect(held).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    await beside
    node.faults.release()
    expect(await store.append('test-1', 1, [anEvent()])).toMatchObject({ revision: 2 })
  })

  test('whose answer is lost does not affect concurrent ones', async () => {
    const store = opened(node.url, TIMEOUT_MS)
    await store.append('test-1', 'none', [anEvent()])
    node.faults.arm({ fault: 'loseAck' })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => store.append(`test-${n}`, 'any', [anEvent()])),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...Array.from({ length: 19 }, () => 'fulfilled')])
    expect(node.events).toHaveLength(21)
  })

  test('of one client is not affected when the connection of another breaks', async () => {
    const elsewhere = await EventStoreNode.start()
    const [store, other] = [opened(), opened(elsewhere.url)]
    await Promise.all([store.append('test-1', 'none', [anEvent()]), other.append('test-1', 'none', [anEvent()])])
    node.faults.arm({ fault: 'holdAck' })
    const pending = store.append('test-1', 0, [anEvent()])
    await until('it is stored', () => node.events.length === 2)
    elsewhere.faults.arm({ fault: 'dropAfter' })
    await expect(other.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    node.faults.release()
    expect(await pending).toMatchObject({ revision: 1, repeated: false })
    await elsewhere.stop()
  })

  test('to a node that is down is reported as not stored, and succeeds when the node is up', async () => {
    const store = opened()
    await store.append('test-1', 'none', [anEvent()])
    const restarting = node.restart(DOWN_MS)
    await until('the node is down', () => node.connections === 0)
    const failures = await Promise.allSettled(
      Array.from({ length: 10 }, () => store.append('test-1', 'any', [anEvent()])),
    )
    // Appends in flight when the connection broke may be unknown; the next ones are certain.
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true)
    await expect(store.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(StoreUnavailable)
    await restarting
    const appender = new PursuingAppender(store, systemClock)
    await appender.append('test-1', 'any', [anEvent()])
    expect(node.events).toHaveLength(2)
  })

  test('uses a new connection when the old one has died silently', async () => {
    const proxy = await startFreezingProxy(Number(new URL(node.url).port))
    const store = opened(`esdb://127.0.0.1:${proxy.port}?tls=false`, TIMEOUT_MS)
    await store.append('test-1', 'none', [anEvent()])
    proxy.freeze()
    await expect(store.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    expect(await store.append('test-1', 'any', [anEvent()])).toMatchObject({ revision: 1 })
    await store.close()
    await proxy.close()
  })

  test('to a server that never answers fails in time, and was not sent', async () => {
    const child = new ChildNode(join(await mkdtemp(join(tmpdir(), 'node-')), 'events'))
    await child.start()
    const store = opened(child.url, TIMEOUT_MS)
    await store.append('test-1', 'none', [anEvent()])
    child.stopForAWhile()
    await expect(store.append('test-1', 'any', [anEvent()])).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    await expect(store.append('test-1', 'any', [anEvent({ n: 2 })])).rejects.toBeInstanceOf(StoreUnavailable)
    child.goOn()
    const appender = new PursuingAppender(store, systemClock)
    await appender.append('test-1', 'any', [anEvent({ n: 3 })])
    expect((await collect(store.readStream('test-1'))).map((event) => event.data.n)).not.toContain(2)
    await child.kill()
  })
})

describe('a subscription', () => {
  test.each([
    ['drops its connections', () => node.dropConnections()],
    ['restarts', () => void node.restart()],
  ])('continues without a gap or a repeat when the server %s', async (_, trouble) => {
    const store = opened()
    const appender = new PursuingAppender(store, systemClock)
    const end = new AbortController()
    const seen: RecordedEvent[] = []
    const following = (async () => {
      for await (const { events } of store.subscribe({ after: BEGINNING, categories: ['test'], signal: end.signal })) {
        seen.push(...events)
      }
    })()
    for (let n = 0; n < 90; n++) {
      await appender.append(`test-${n % 3}`, 'any', [anEvent({ n })])
      if (n % 30 === 20) trouble()
    }
    await until('all have come', () => seen.length >= 90)
    expect(seen.map((event) => event.data.n)).toEqual(Array.from({ length: 90 }, (_, n) => n))
    end.abort()
    await following
  })

  test('that takes nothing does not hold up others, and reads pages when the tail has forgotten', async () => {
    const store = opened()
    const end = new AbortController()
    const [slow, quick] = [0, 1].map(() =>
      store.subscribe({ after: BEGINNING, signal: end.signal })[Symbol.asyncIterator](),
    ) as [AsyncIterator<EventBatch>, AsyncIterator<EventBatch>]
    const take = async (batches: AsyncIterator<EventBatch>) => ((await batches.next()).value as EventBatch).events
    await store.append('test-1', 'any', [anEvent({ n: 0 })])
    const seen = [...(await take(slow))]
    let count = (await take(quick)).length
    const following = (async () => {
      while (count < 3 * RECENT_EVENTS_MAX) count += (await take(quick)).length
    })()
    await until('it is live', () => node.subscriptions === 1)
    for (let n = 1; n < 3 * RECENT_EVENTS_MAX; ) {
      const events = Array.from({ length: Math.min(100, 3 * RECENT_EVENTS_MAX - n) }, () => anEvent({ n: n++ }))
      await store.append('test-1', 'any', events)
    }
    await following
    const sentBefore = node.eventsSent
    while (seen.length < count) seen.push(...(await take(slow)))
    expect(seen.map((event) => event.data.n)).toEqual(Array.from({ length: count }, (_, n) => n))
    // Reading pages takes it to what the tail still has, and not much further.
    expect(node.eventsSent - sentBefore).toBeGreaterThan(RECENT_EVENTS_MAX - READ_PAGE_EVENTS_MAX)
    expect(node.eventsSent - sentBefore).toBeLessThan(2 * RECENT_EVENTS_MAX + READ_PAGE_EVENTS_MAX)
    end.abort()
    await Promise.all([slow.next(), quick.next()])
  })

  test('gets new events by reading a page when the server falls silent', async () => {
    const store = opened()
    await store.append('test-1', 'none', [anEvent()])
    const end = new AbortController()
    const seen: RecordedEvent[] = []
    node.muteSubscriptions = true
    const following = (async () => {
      for await (const { events } of store.subscribe({ after: BEGINNING, signal: end.signal })) seen.push(...events)
    })()
    await until('the first comes', () => seen.length === 1)
    await store.append('test-1', 0, [anEvent()])
    await until('the second comes', () => seen.length === 2)
    end.abort()
    await following
  })
})

test('a killed server has all its events when it is back, and every append is pursued to its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'node-'))
  const child = new ChildNode(join(folder, 'events'))
  await child.start()
  const store = opened(child.url, TIMEOUT_MS)
  const appender = new PursuingAppender(store, systemClock, 50_000)
  const events = Array.from({ length: 50 }, (_, n) => anEvent({ n }))
  const appends = Promise.all(events.map((event, n) => appender.append(`test-${n % 5}`, 'any', [event])))
  await child.kill()
  await child.start()
  await appends
  const stored = (await store.readAll({ after: BEGINNING, limit: 1_000 })).events
  expect(new Set(stored.map((event) => event.id))).toEqual(new Set(events.map((event) => event.id)))
  await child.kill()
  await rm(folder, { recursive: true })
})
