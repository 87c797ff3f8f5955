import { randomUUID } from 'node:crypto'
import { binaryEvent, EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { EventStore, ForeignEvent } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { anEvent, collect } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

const json = (changes = {}) => jsonEvent({ type: 'OrderPlaced', data: { n: 1 }, ...changes })
const binary = () => binaryEvent({ type: 'Blob', data: Buffer.from([0, 1, 2, 255]) })
const link = () => binaryEvent({ type: '$>', data: Buffer.from('0@order-1') })
const ours = () => {
  const { id, type, data, metadata } = anEvent({ n: 1 })
  return jsonEvent({ id, type, data, metadata: structuredClone(metadata) })
}

describeWithEventStore('a server that other applications use too', (url) => {
  let client: EventStoreDBClient
  let prefix: string
  let store: EventStore
  let foreign: ForeignEvent[]
  const stores: EventStore[] = []

  const open = (its: string) => {
    const opened = openEventStoreDb(url, {
      clock: systemClock,
      ids: systemIds,
      prefix: its,
      log: pino({ enabled: false }),
      onForeignEvent: (event) => foreign.push(event),
    })
    stores.push(opened)
    return opened
  }
  /** The stream's name on the server. */
  const named = (stream: string) => `${prefix}${stream}`

  beforeEach(() => {
    client = EventStoreDBClient.connectionString(url)
    foreign = []
    prefix = aPrefix()
    store = open(prefix)
  })
  afterEach(async () => {
    for (const opened of stores.splice(0)) await opened.close()
    await client.dispose()
  })

  /** Everything that others do, in streams of their own. */
  async function othersWrite() {
    const id = randomUUID()
    for (const stream of [`user-${id}`, `job-${id}`, `order-${id}`, `other.ledger-${id}`, `${id}`]) {
      await client.appendToStream(stream, [json(), json({ metadata: { userId: 7 } }), binary(), link(), ours()])
    }
    await client.deleteStream(`user-${id}`)
    await client.tombstoneStream(`job-${id}`)
    await client.setStreamMetadata(`order-${id}`, { maxCount: 1, truncateBefore: 2 })
  }

  /** What a subscription brings, from the beginning. */
  function following(its: EventStore) {
    const end = new AbortController()
    const seen: RecordedEvent[] = []
    const ended = (async () => {
      for await (const { events } of its.subscribe({ after: BEGINNING, signal: end.signal })) seen.push(...events)
    })()
    const stop = () => {
      end.abort()
      return ended
    }
    return { seen, stop }
  }

  test('a store without events of ours is empty, whatever others have written', async () => {
    await othersWrite()
    expect(await store.head()).toBe(BEGINNING)
    expect(await store.readAll({ after: BEGINNING, limit: 10 })).toEqual({ events: [], position: BEGINNING })
    expect(await store.eventsAfter(BEGINNING)).toBe(0)
    expect(foreign).toEqual([])
  })

  test('events of others are passed over before, between and behind ours, and the head is that of ours', async () => {
    const live = following(store)
    await othersWrite()
    const first = await store.append('job-1', 'none', [anEvent({ n: 0 })])
    expect(await store.head()).toBe(first.position)
    await othersWrite()
    const { position } = await store.append('ledger-1', 'any', [anEvent({ n: 1 }), anEvent({ n: 2 })])
    await othersWrite()
    await until('the subscription has brought them', () => live.seen.length === 3)
    await live.stop()
    expect(live.seen.map(({ stream, data }) => [stream, data.n])).toEqual([
      ['job-1', 0],
      ['ledger-1', 1],
      ['ledger-1', 2],
    ])
    expect(await store.head()).toBe(position)
    const page = await store.readAll({ after: BEGINNING, limit: 10 })
    expect(page).toEqual({ events: live.seen, position })
    expect(await store.readAll({ after: position, limit: 10 })).toEqual({ events: [], position })
    const ofLedgers = await store.readAll({ after: BEGINNING, categories: ['ledger'], limit: 10 })
    expect(ofLedgers.events.map(({ data }) => data.n)).toEqual([1, 2])
    // Another process starts with events of others at the end of the log.
    const later = open(prefix)
    expect(await later.head()).toBe(position)
    expect(await later.append('job-1', 0, [anEvent()])).toMatchObject({ revision: 1, repeated: false })
  })

  test('many events of others between two of ours cost neither order nor completeness', async () => {
    await store.append('ledger-1', 'any', [anEvent({ n: 0 })])
    const live = following(store)
    const page = () => Array.from({ length: 500 }, () => json())
    for (let n = 1; n <= 10; n++) {
      await client.appendToStream(`order-${randomUUID()}`, page())
      if (n % 5 === 0) await store.append(`ledger-${n}`, 'any', [anEvent({ n })])
    }
    const { position } = await store.append('ledger-1', 'any', [anEvent({ n: 11 })])
    await until('the subscription has brought them', () => live.seen.length === 4)
    await live.stop()
    const reader = open(prefix)
    const { events, position: reached } = await reader.readAll({ after: BEGINNING, limit: 100 })
    expect(events.map(({ data }) => data.n)).toEqual([0, 5, 10, 11])
    expect(reached).toBe(position)
    expect(await reader.head()).toBe(position)
  })

  test.each([
    ['one', 'two'],
    ['one.', 'one.two.'],
    ['one', 'onetwo'],
    ['one', 'onea'],
  ])('installations with the prefixes %s and %s see nothing of each other', async (one, two) => {
    const [a, b] = [open(`${prefix}${one}`), open(`${prefix}${two}`)]
    const lives = [following(a), following(b)]
    const streams = ['ledger-1', 'apiKey-1', 'user-1', 'pricing-book']
    for (const stream of streams) {
      await a.append(stream, 'none', [anEvent({ of: 'a' })])
      await b.append(stream, 'none', [anEvent({ of: 'b' })])
    }
    for (const [each, live, name] of [
      [a, lives[0], 'a'],
      [b, lives[1], 'b'],
    ] as const) {
      await until('its events have come', () => live?.seen.length === streams.length)
      await live?.stop()
      const { events, position } = await each.readAll({ after: BEGINNING, limit: 100 })
      expect(events.map(({ stream, data }) => [stream, data.of])).toEqual(streams.map((stream) => [stream, name]))
      expect(await each.head()).toBe(events.at(-1)?.position)
      expect(position).toBe(events.at(-1)?.position)
    }
    expect(foreign).toEqual([])
  })

  describe('events of others in a stream of ours', () => {
    const strangers = () => [json(), json({ metadata: { userId: 7 } }), binary(), link()]

    test('are passed over wherever they are, reported once, and found by name', async () => {
      await client.appendToStream(named('ledger-1'), strangers())
      await store.append('ledger-1', 'any', [anEvent({ n: 0 })])
      const live = following(store)
      await client.appendToStream(named('ledger-1'), strangers())
      await store.append('ledger-1', 'any', [anEvent({ n: 1 })])
      const { position } = await store.append('ledger-1', 'any', [anEvent({ n: 2 })])
      await client.appendToStream(named('ledger-1'), strangers())
      await until('ours have come', () => live.seen.length === 3)
      await live.stop()
      const read = await collect(store.readStream('ledger-1'))
      expect(read.map(({ revision, data }) => [revision, data.n])).toEqual([
        [4, 0],
        [9, 1],
        [10, 2],
      ])
      expect(live.seen).toEqual(read)
      expect(await store.head()).toBe(position)
      const named12 = await collect(store.foreignEvents('ledger-1'))
      expect(named12.map(({ stream, revision, type }) => [stream, revision, type])).toEqual(
        [0, 5, 11].flatMap((from) =>
          ['OrderPlaced', 'OrderPlaced', 'Blob', '$>'].map((type, n) => ['ledger-1', from + n, type]),
        ),
      )
      expect(foreign.map(({ position: at }) => at).toSorted()).toEqual(named12.map(({ position: at }) => at))
    })

    test('do not keep a command from appending at the revision that it has read', async () => {
      await client.appendToStream(named('apiKey-1'), strangers())
      expect(await store.append('apiKey-1', 'none', [anEvent({ n: 0 })])).toMatchObject({ revision: 4 })
      await client.appendToStream(named('apiKey-1'), strangers())
      const event = anEvent({ n: 1 })
      const stored = await store.append('apiKey-1', 4, [event])
      expect(stored).toMatchObject({ revision: 9, repeated: false })
      expect(await store.append('apiKey-1', 4, [event])).toEqual({ ...stored, repeated: true })
      await expect(store.append('apiKey-1', 4, [anEvent()])).rejects.toMatchObject({ name: 'WrongExpectedRevision' })
      await expect(store.append('apiKey-1', 'none', [anEvent()])).rejects.toMatchObject({ actual: 9 })
      const appender = new PursuingAppender(store, systemClock)
      expect(await appender.append('apiKey-1', 9, [anEvent({ n: 2 })])).toMatchObject({ revision: 10 })
    })
  })
})
