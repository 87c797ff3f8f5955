import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { EventStoreNode } from '../../../test/support/eventStores/eventStoreNode/node.ts'
import { anEvent, collect } from '../../../test/support/events/events.ts'
import { until } from '../../../test/support/time/until.ts'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../ids/ids.ts'
import { EVENT_DATA_BYTES_MAX } from '../eventGuard.ts'
import { AppendOutcomeUnknown, type EventBatch, EventRefused, type EventStore } from '../port.ts'
import { openEventStoreDb } from './eventStoreDb.ts'

let node: EventStoreNode
let store: EventStore
beforeEach(async () => {
  node = await EventStoreNode.start()
  store = open()
})
afterEach(async () => {
  await store.close()
  await node.stop()
})

/** With a long time-out. Time-outs are tested in eventStoreDb.trouble.slow.test.ts. */
const open = (url = node.url, realTime: Pick<Clock, 'now'> = systemClock, appendTimeoutMs = 30_000) =>
  openEventStoreDb(url, {
    clock: systemClock,
    realTime,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
    appendTimeoutMs,
  })

/** Subscribes from the beginning and records the events until it is stopped. */
function follow(categories?: readonly string[], after: Position = BEGINNING) {
  const end = new AbortController()
  const seen: RecordedEvent[] = []
  const batches: number[] = []
  const state = { seen, batches, position: after, stop: async () => {} }
  const ended = (async () => {
    for await (const batch of store.subscribe({ after, signal: end.signal, ...(categories && { categories }) })) {
      seen.push(...batch.events)
      batches.push(batch.events.length)
      state.position = batch.position
    }
  })()
  state.stop = () => {
    end.abort()
    return ended
  }
  return state
}

/** A live subscription to the category `many`, read on demand. */
async function liveReader() {
  const end = new AbortController()
  const batches = store.subscribe({ after: BEGINNING, signal: end.signal })[Symbol.asyncIterator]()
  await store.append('test-1', 'any', [anEvent()])
  await batches.next()
  const second = batches.next()
  await until('it is live', async () => {
    await store.append('test-1', 'any', [anEvent()])
    return node.subscriptions > 0
  })
  await second
  return {
    next: async () => {
      const { value } = (await batches.next()) as { value: EventBatch }
      return value.events.filter(({ stream }) => stream.startsWith('many'))
    },
    end: async () => {
      end.abort()
      await batches.next()
    },
  }
}

const many = (count: number) => Array.from({ length: count }, (_, n) => anEvent({ n }))

describe('positions', () => {
  test('are parsed with and without leading zeros, and anything else is refused', () => {
    expect(store.parsePosition('42')).toBe('00000000000000000042')
    for (const text of ['', '-1', '4x', '9223372036854775808', '2026-01-01'])
      expect(store.parsePosition(text)).toBeNull()
  })

  test('are those of our own events, whatever the server writes behind them', async () => {
    await store.append('test-1', 'any', [anEvent({ n: 0 })])
    const { position } = await store.readAll({ after: BEGINNING, limit: 10 })
    node.writeSystemEvent()
    expect(await store.head()).toBe(position)
    expect(await store.readAll({ after: position, limit: 10 })).toEqual({ events: [], position })
    expect(await store.eventsAfter(position)).toBe(0)
  })

  test('give an approximate number of events after them', async () => {
    expect(await store.eventsAfter(BEGINNING)).toBe(0)
    const { position } = await store.append('test-1', 'any', many(100))
    for (let n = 0; n < 30; n++) await store.append('test-1', 'any', many(100))
    const estimate = await store.eventsAfter(position)
    expect(Math.abs(estimate - 3_000)).toBeLessThan(300)
    expect(await store.eventsAfter(await store.head())).toBe(0)
  })
})

describe('an append', () => {
  test('above the size limit is refused, by our own limit and by the server', async () => {
    const half = { text: 'x'.repeat(EVENT_DATA_BYTES_MAX - 100) }
    const large = [anEvent(half), anEvent(half), anEvent({ text: 'x'.repeat(1_000) })]
    await expect(store.append('test-1', 'any', large)).rejects.toThrow(/bytes of data/)
    const small = await EventStoreNode.start({ appendBytesMax: 1_000 })
    const other = open(small.url)
    const refused = await other.append('test-1', 'any', [anEvent(half)]).catch((error) => error)
    expect(refused).toBeInstanceOf(EventRefused)
    await other.append('test-1', 'none', [anEvent()])
    await other.close()
    await small.stop()
  })

  test('at an expected revision is read back without its append id', async () => {
    const event = anEvent({ n: 1 })
    await store.append('test-1', 'none', [event])
    const [stored] = await collect(store.readStream('test-1'))
    expect(stored?.metadata).toEqual(event.metadata)
    expect(node.events.at(-1)?.metadata.toString()).toContain('appendId')
  })

  test('that was stored before this process started is a repetition', async () => {
    const event = anEvent()
    await store.append('test-1', 'any', [event])
    const later = open()
    expect(await later.append('test-1', 'any', [event])).toMatchObject({ repeated: true, revision: 0 })
    await later.close()
  })
})

describe('a subscription', () => {
  test('to some categories advances past events of others, even without events of its own', async () => {
    const following = follow(['wanted'])
    for (let n = 0; n < 100; n++) await store.append('test-1', 'any', [anEvent()])
    const head = await store.head()
    await until('it has passed all of them', () => following.position >= head)
    const { position } = await store.append('wanted-1', 'any', [anEvent({ n: 1 })])
    await until('its own comes', () => following.seen.length === 1)
    expect(following.position).toBe(position)
    await following.stop()
  })

  test('to an empty store starts with its first event', async () => {
    const following = follow(['wanted'])
    // By the end of the first pause the server has sent its checkpoint of -1.
    await until('it is live', () => node.connections > 0)
    await store.append('test-1', 'any', [anEvent()])
    await store.append('wanted-1', 'any', [anEvent({ n: 1 })])
    await until('it comes', () => following.seen.length === 1)
    expect(following.position).toBe(await store.head())
    await following.stop()
  })

  test('to all categories shows no system events', async () => {
    const following = follow()
    for (let n = 0; n < 10; n++) {
      node.writeSystemEvent()
      await store.append('test-1', 'any', [anEvent({ n })])
    }
    await until('all have come', () => following.seen.length === 10)
    expect(following.seen.map((event) => event.stream)).toEqual(Array.from({ length: 10 }, () => 'test-1'))
    await following.stop()
  })

  test('delivers events that arrived while its reader was busy in few batches', async () => {
    const reader = await liveReader()
    await Promise.all(many(200).map((event, n) => store.append(`many-${n % 5}`, 'any', [event])))
    await until('all were sent', () => node.eventsSent > 200)
    let taken = 0
    let batches = 0
    for (; taken < 200; batches++) taken += (await reader.next()).length
    expect(batches).toBeLessThan(100)
    await reader.end()
  })

  test('ends when the store is closed', async () => {
    const following = follow()
    await store.append('test-1', 'any', [anEvent()])
    await until('it is live', () => following.seen.length === 1)
    await store.close()
    await following.stop()
  })
})

test('an address of several nodes leads to their leader', async () => {
  const cluster = open(node.url.replace('esdb://', 'esdb+discover://'))
  await cluster.append('test-1', 'none', [anEvent()])
  expect(await collect(cluster.readStream('test-1'))).toHaveLength(1)
  await cluster.close()
})

describe('the deadline of an append', () => {
  /** The server takes the append up this long after it was sent. */
  async function takenUpAfter(ms: number, appendTimeoutMs?: number) {
    const late = open(node.url, { now: () => systemClock.now() - ms }, appendTimeoutMs)
    try {
      return await late.append('test-1', 'any', [anEvent()])
    } finally {
      await late.close()
    }
  }

  test('refuses what the server takes up when its caller has long been answered', async () => {
    await expect(takenUpAfter(120_000, 500)).rejects.toBeInstanceOf(AppendOutcomeUnknown)
    expect(await collect(store.readStream('test-1'))).toEqual([])
  })

  test('allows for clocks that differ by a minute', async () => {
    expect(await takenUpAfter(59_000)).toMatchObject({ revision: 0 })
    expect(await takenUpAfter(-3_600_000)).toMatchObject({ revision: 1 })
  })
})
