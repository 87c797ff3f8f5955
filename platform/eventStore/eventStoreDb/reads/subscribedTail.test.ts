import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../../contracts/position.ts'
import { EventStoreNode } from '../../../../test/support/eventStores/eventStoreNode/node.ts'
import { anEvent } from '../../../../test/support/events/events.ts'
import { until } from '../../../../test/support/time/until.ts'
import { systemClock } from '../../../clock/clock.ts'
import { systemIds } from '../../../ids/ids.ts'
import type { EventStore } from '../../port.ts'
import { openEventStoreDb } from '../eventStoreDb.ts'
import { gatherMsAt } from './subscribedTail.ts'

const FOLLOWERS = 10
/** The client that reads, the one that appends, and the one of the subscription. */
const CONNECTIONS = 3
/** More than a test appends one by one while it waits. */
const EVENTS_BEHIND = 2_000
/** A read without an answer is abandoned after 10 s. */
const BEFORE_READ_TIMEOUT_MS = 8_000

let node: EventStoreNode
let store: EventStore
let end: AbortController
let ended: Promise<unknown>[]
beforeEach(async () => {
  node = await EventStoreNode.start()
  store = openEventStoreDb(node.url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
  })
  end = new AbortController()
  ended = []
})
afterEach(async () => {
  end.abort()
  await Promise.all(ended)
  await store.close()
  await node.stop()
})

function follow(after: Position = BEGINNING, categories?: readonly string[]): RecordedEvent[] {
  const seen: RecordedEvent[] = []
  const following = async () => {
    for await (const { events } of store.subscribe({ after, signal: end.signal, ...(categories && { categories }) })) {
      seen.push(...events)
    }
  }
  ended.push(following())
  return seen
}

async function append(stream: string, count: number, from = 0): Promise<void> {
  for (let n = 0; n < count; n += 100) {
    const events = Array.from({ length: Math.min(100, count - n) }, (_, i) => anEvent({ n: from + n + i }))
    await store.append(stream, 'any', events)
  }
}

const numbers = (events: readonly RecordedEvent[]) => events.map(({ data }) => data.n)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

test('all followers of a store share one subscription and its connection', async () => {
  await append('test-1', 5)
  const all = Array.from({ length: FOLLOWERS }, (_, n) => follow(BEGINNING, n % 2 ? ['test'] : undefined))
  await until('all have caught up', () => all.every((seen) => seen.length === 5))
  await until('only one subscription is open', () => node.subscriptions === 1)
  node.eventsSent = 0
  await append('test-2', 3, 5)
  await until('all have the new events', () => all.every((seen) => seen.length === 8))
  // With a subscription for each it would be 30. The end of the log is read as well, once a second.
  expect(node.eventsSent).toBeLessThan(2 * FOLLOWERS)
  expect(node.subscriptions).toBe(1)
  expect(node.connections).toBeLessThanOrEqual(CONNECTIONS)
  for (const seen of all) expect(numbers(seen)).toEqual(upTo(8))
})

test('a follower that begins far behind is sent the events of its categories only', async () => {
  await append('test-1', 2_000)
  await append('wanted-1', 2)
  const live = follow(await store.head())
  await until('the tail runs', () => node.subscriptions === 1)
  node.eventsSent = 0
  const wanted = follow(BEGINNING, ['wanted'])
  await until('it has its events', () => wanted.length === 2)
  // The position of the newest event is read too, repeatedly.
  expect(node.eventsSent).toBeLessThan(100)
  await append('wanted-1', 1, 2)
  await until('both have the new event', () => wanted.length === 3 && live.length === 1)
})

test('a first follower beyond the end of the log does not keep the others from new events', async () => {
  await append('test-1', 1)
  const lost = follow('00000000009999999999' as Position)
  await until('the tail runs', () => node.subscriptions === 1)
  const seen = follow()
  await append('test-1', 2, 1)
  await until('the events have come', () => seen.length === 3)
  expect(lost).toEqual([])
})

test('an event that the subscription does not deliver is read after a pause, once for all followers', async () => {
  await append('test-1', 1)
  node.muteSubscriptions = true
  const all = Array.from({ length: FOLLOWERS }, () => follow())
  // Each reads the end of the log, a page with the event, and the end again; the first one also searches the head.
  await until('all wait', () => node.eventsSent > 3 * FOLLOWERS)
  node.eventsSent = 0
  await append('test-1', 1, 1)
  await until('all have the new event', () => all.every((seen) => seen.length === 2))
  expect(node.eventsSent).toBeLessThan(FOLLOWERS)
})

test('an event is read if the subscription is still delivering older ones', async () => {
  await append('test-1', 1)
  const wanted = follow(BEGINNING, ['wanted'])
  await until('the tail runs', () => node.subscriptions === 1)
  node.subscriptionsBehind = EVENTS_BEHIND
  await append('test-1', EVENTS_BEHIND, 1)
  await append('wanted-1', 1)
  // Each delivers an older one, so the subscription is never silent.
  let newer = 0
  await until('the event has come', async () => {
    await append('test-1', 1, newer++)
    return wanted.length === 1
  })
  expect(newer).toBeLessThan(EVENTS_BEHIND)
})

test('an event from the subscription is taken although a page is being read and the server does not answer', async () => {
  await append('test-1', 1)
  const seen = follow()
  await until('the tail runs', () => seen.length === 1 && node.subscriptions === 1)
  node.muteReads = true
  await until('a page is being read', () => node.readsUnanswered > 0)
  await append('test-1', 1, 1)
  await until('the event has come', () => seen.length === 2, BEFORE_READ_TIMEOUT_MS)
})

test.each([
  [0, 2],
  [399, 2],
  [400, 20],
  [1_200, 110],
  [2_000, 200],
  [50_000, 200],
])('at %d events a second, the tail gathers events for %d ms', (eventsPerSecond, ms) => {
  expect(gatherMsAt(eventsPerSecond)).toBe(ms)
})
