import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { EVENT_DATA_BYTES_MAX, EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import {
  AppendOutcomeUnknown,
  EventRefused,
  type EventStore,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { anEvent, collect } from '../support/events/events.ts'

/** What the suite needs from an adapter: several stores on one engine, and a way to break an append half-way. */
export type EventStoreHarness = {
  /** Another client of the same engine, as a second process would have it. */
  open(): EventStore
  /** Starts the append and cuts its connection while the engine works on it: before or after it is stored. */
  cutMidAppend(append: () => Promise<unknown>, moment: 'before commit' | 'after commit'): Promise<void>
  close(): Promise<void>
}

/** Streams that a race is run in at the same time. */
const ROUNDS = 10

const aStream = () => `test-${randomUUID()}`

type ContractOptions = {
  /** False for a store in this process: nothing can be cut or closed, and the size of a page does not matter. */
  readonly hasConnections?: boolean
}

export function eventStoreContract(
  name: string,
  start: () => Promise<EventStoreHarness>,
  { hasConnections = true }: ContractOptions = {},
): void {
  describe(`${name} keeps the event store's contract`, () => {
    let harness: EventStoreHarness
    let store: EventStore

    beforeAll(async () => {
      harness = await start()
      store = harness.open()
    })
    afterAll(async () => {
      await store.close()
      await harness.close()
    })

    describe('append', () => {
      test('counts revisions from 0 and moves the position on', async () => {
        const stream = aStream()
        const first = await store.append(stream, 'none', [anEvent({ n: 0 })])
        const second = await store.append(stream, 0, [anEvent({ n: 1 }), anEvent({ n: 2 })])
        expect(first).toMatchObject({ revision: 0, repeated: false })
        expect(second).toMatchObject({ revision: 2, repeated: false })
        expect(second.position > first.position).toBe(true)
      })

      test('with revision none refuses an existing stream and reports its revision', async () => {
        const stream = aStream()
        await store.append(stream, 'any', [anEvent()])
        await expect(store.append(stream, 'none', [anEvent()])).rejects.toMatchObject({
          name: 'WrongExpectedRevision',
          actual: 0,
        })
      })

      test('that may not be sent any more is not stored', async () => {
        const stream = aStream()
        await expect(store.append(stream, 'any', [anEvent()], () => false)).rejects.toBeInstanceOf(StoreUnavailable)
        // In one batch with another one.
        const both = [false, true].map((may) => store.append(stream, 'any', [anEvent({ may })], () => may))
        expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
        expect(await collect(store.readStream(stream))).toMatchObject([{ data: { may: true } }])
      })

      test('with an exact revision refuses a stream that is behind, ahead or missing', async () => {
        const stream = aStream()
        await expect(store.append(stream, 0, [anEvent()])).rejects.toMatchObject({ actual: null })
        await store.append(stream, 'any', [anEvent(), anEvent()])
        await expect(store.append(stream, 0, [anEvent()])).rejects.toBeInstanceOf(WrongExpectedRevision)
        await expect(store.append(stream, 5, [anEvent()])).rejects.toMatchObject({ actual: 1 })
        expect(await collect(store.readStream(stream))).toHaveLength(2)
      })

      test('keeps data, metadata, type, id and text of any script as they were given', async () => {
        const stream = aStream()
        const event = anEvent({
          text: 'Zürich 東京 🚀 "quoted" \\u0000 back\\slash',
          big: '900719925474099312345',
          nested: [{ a: null }],
        })
        await store.append(stream, 'none', [event])
        const [stored] = await collect(store.readStream(stream))
        expect(stored).toMatchObject(event)
        expect(Math.abs(Date.parse(stored?.recordedAt ?? '') - Date.now())).toBeLessThan(60_000)
      })
    })

    describe('a repeated append', () => {
      test('stores nothing again, with any, none and an exact revision, also after others wrote', async () => {
        const stream = aStream()
        const opening = [anEvent(), anEvent()]
        const next = [anEvent()]
        const first = await store.append(stream, 'none', opening)
        const second = await store.append(stream, 1, next)
        await store.append(stream, 'any', [anEvent()])
        expect(await store.append(stream, 'none', opening)).toEqual({ ...first, repeated: true })
        expect(await store.append(stream, 'any', opening)).toEqual({ ...first, repeated: true })
        expect(await store.append(stream, 1, next)).toEqual({ ...second, repeated: true })
        expect(await collect(store.readStream(stream))).toHaveLength(4)
      })

      test('is a conflict when the events are stored at another revision than expected', async () => {
        const stream = aStream()
        const event = anEvent()
        await store.append(stream, 'any', [anEvent(), event])
        await expect(store.append(stream, 'none', [event])).rejects.toBeInstanceOf(WrongExpectedRevision)
      })

      test('is refused when only some of its ids are stored', async () => {
        const stream = aStream()
        const event = anEvent()
        await store.append(stream, 'any', [event])
        await expect(store.append(stream, 'any', [event, anEvent()])).rejects.toBeInstanceOf(EventRefused)
        expect(await collect(store.readStream(stream))).toHaveLength(1)
      })

      test.each([3, 10])(
        'stores once when %i arrive at the same time, from two clients, in ten streams',
        async (count) => {
          const clients = [store, harness.open()]
          const round = async () => {
            const stream = aStream()
            const event = anEvent()
            const results = await Promise.all(
              Array.from({ length: count }, (_, n) => (clients[n % 2] ?? store).append(stream, 'any', [event])),
            )
            // A store that may forget ids may also not notice that another client was first; what it stores is the same.
            const first = results.filter((result) => !result.repeated)
            expect(first.length).toBeGreaterThanOrEqual(1)
            if (store.idsAreUnique) expect(first).toHaveLength(1)
            const stored = await collect(store.readStream(stream))
            expect(stored).toHaveLength(1)
            for (const { revision, position } of results)
              expect({ revision, position }).toEqual({ revision: 0, position: stored[0]?.position })
          }
          await Promise.all(Array.from({ length: ROUNDS }, round))
          await clients[1]?.close()
        },
      )

      test.each([3, 10])(
        'at an expected revision succeeds for one of %i simultaneous clients, in ten streams',
        async (count) => {
          const clients = [store, harness.open()]
          const round = async () => {
            const stream = aStream()
            const ids = [randomUUID(), randomUUID()]
            const append = (client: EventStore, n: number) =>
              client.append(
                stream,
                'none',
                ids.map((id) => anEvent({ n }, id)),
              )
            const results = await Promise.all(
              Array.from({ length: count }, (_, n) => append(clients[n % 2] ?? store, n)),
            )
            const stored = await collect(store.readStream(stream))
            expect(stored).toHaveLength(2)
            expect(results.map((result) => !result.repeated)).toEqual(results.map((_, n) => stored[0]?.data.n === n))
          }
          await Promise.all(Array.from({ length: ROUNDS }, round))
          await clients[1]?.close()
        },
      )

      test('with an id of another stream is not a repetition', async () => {
        const event = anEvent()
        await store.append(aStream(), 'any', [event])
        expect(await store.append(aStream(), 'any', [event])).toMatchObject({ repeated: false })
      })
    })

    describe('concurrent appends', () => {
      test('to one stream are all stored, each at its own revision', async () => {
        const stream = aStream()
        const other = harness.open()
        const results = await Promise.all(
          Array.from({ length: 300 }, (_, n) => (n % 2 ? store : other).append(stream, 'any', [anEvent({ n })])),
        )
        expect(results.map((result) => result.revision).sort((a, b) => a - b)).toEqual(results.map((_, n) => n))
        expect(new Set(results.map((result) => result.position)).size).toBe(300)
        await other.close()
      })

      test('with the same expected revision succeed once', async () => {
        const stream = aStream()
        await store.append(stream, 'none', [anEvent()])
        const other = harness.open()
        const results = await Promise.allSettled(
          Array.from({ length: 40 }, (_, n) => (n % 2 ? store : other).append(stream, 0, [anEvent({ n })])),
        )
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
        for (const result of results) {
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(WrongExpectedRevision)
        }
        await other.close()
      })

      test('succeed and fail independently of each other', async () => {
        const streams = Array.from({ length: 60 }, aStream)
        const results = await Promise.allSettled(
          streams.map((stream, n) => store.append(stream, n % 3 === 0 ? 7 : 'none', [anEvent({ n }), anEvent({ n })])),
        )
        results.forEach((result, n) => {
          expect(result.status).toBe(n % 3 === 0 ? 'rejected' : 'fulfilled')
        })
        const lengths = await Promise.all(
          streams.map(async (stream) => (await collect(store.readStream(stream))).length),
        )
        expect(lengths).toEqual(streams.map((_, n) => (n % 3 === 0 ? 0 : 2)))
      })
    })

    describe('an event that no store could keep is refused before it is sent', () => {
      test.each([
        ['a NUL', { text: 'a\u0000b' }],
        ['a lone surrogate', { text: 'a\ud800b' }],
        ['a NUL in a name', { 'a\u0000b': 1 }],
        ['data over 512 KiB', { text: 'x'.repeat(EVENT_DATA_BYTES_MAX) }],
        ['data over 512 KiB in bytes though not in characters', { text: '東'.repeat(EVENT_DATA_BYTES_MAX / 3) }],
      ])('%s', async (_, data) => {
        const stream = aStream()
        await expect(store.append(stream, 'any', [anEvent(data)])).rejects.toBeInstanceOf(EventRefused)
        expect(await collect(store.readStream(stream))).toEqual([])
      })

      test('too many events, none at all, a bad id, a bad stream name', async () => {
        const many = Array.from({ length: EVENTS_PER_APPEND_MAX + 1 }, () => anEvent())
        await expect(store.append(aStream(), 'any', many)).rejects.toBeInstanceOf(EventRefused)
        await expect(store.append(aStream(), 'any', [])).rejects.toBeInstanceOf(EventRefused)
        await expect(store.append(aStream(), 'any', [anEvent({}, 'no-uuid')])).rejects.toBeInstanceOf(EventRefused)
        await expect(store.append('nodash', 'any', [anEvent()])).rejects.toBeInstanceOf(EventRefused)
        const twice = anEvent()
        await expect(store.append(aStream(), 'any', [twice, twice])).rejects.toBeInstanceOf(EventRefused)
      })

      test('data at the limit is stored', async () => {
        const stream = aStream()
        const data = { text: 'x'.repeat(EVENT_DATA_BYTES_MAX - '{"text":""}'.length) }
        await store.append(stream, 'any', [anEvent(data)])
        const [stored] = await collect(store.readStream(stream))
        expect(stored?.data).toEqual(data)
      })
    })

    describe('reading', () => {
      test('a stream forwards and backwards, from any revision, with a limit, over many pages', async () => {
        const stream = aStream()
        for (let n = 0; n < 2_300; n += 100) {
          await store.append(
            stream,
            n === 0 ? 'none' : n - 1,
            Array.from({ length: 100 }, (_, i) => anEvent({ n: n + i })),
          )
        }
        const revisions = async (options?: Parameters<EventStore['readStream']>[1]) =>
          (await collect(store.readStream(stream, options))).map((event) => event.revision)
        const all = Array.from({ length: 2_300 }, (_, n) => n)
        expect(await revisions()).toEqual(all)
        expect(await revisions({ direction: 'backwards' })).toEqual(all.toReversed())
        expect(await revisions({ from: 2_297 })).toEqual([2_297, 2_298, 2_299])
        expect(await revisions({ from: 2, direction: 'backwards' })).toEqual([2, 1, 0])
        expect(await revisions({ from: 1_500, limit: 2 })).toEqual([1_500, 1_501])
        expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([2_299])
        expect(await revisions({ from: 5_000 })).toEqual([])
      })

      test('a stream that does not exist is empty', async () => {
        expect(await collect(store.readStream(aStream()))).toEqual([])
      })

      test('all events from a position, in the order of their positions', async () => {
        const { position: before } = await store.append(aStream(), 'any', [anEvent()])
        const streams = [aStream(), aStream()]
        for (let n = 0; n < 10; n++) await store.append(streams[n % 2] ?? '', 'any', [anEvent({ n })])
        const page = await store.readAll({ after: before, limit: 6 })
        const rest = await store.readAll({ after: page.position, limit: 100 })
        expect([...page.events, ...rest.events].map((event) => event.data.n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        expect(rest.position).toBe(await store.head())
        expect(await store.readAll({ after: rest.position, limit: 10 })).toEqual({
          events: [],
          position: rest.position,
        })
      })

      test('chosen categories moves the position past events of other categories', async () => {
        const { position: before } = await store.append(aStream(), 'any', [anEvent()])
        await store.append(`wanted-${randomUUID()}`, 'any', [anEvent({ n: 1 })])
        const { position: last } = await store.append(aStream(), 'any', [anEvent()])
        let after = before
        const found: RecordedEvent[] = []
        for (;;) {
          const page = await store.readAll({ after, categories: ['wanted'], limit: 2 })
          found.push(...page.events)
          if (page.position === after) break
          after = page.position
        }
        expect(found.map((event) => event.data)).toEqual([{ n: 1 }])
        expect(after >= last).toBe(true)
      })

      if (hasConnections)
        test.each([
          ['all', undefined],
          ['chosen categories', ['large']],
        ])('large events of %s in pages of a limited size, none of them left out', async (_, categories) => {
          const { position: before } = await store.append(aStream(), 'any', [anEvent()])
          const stream = `large-${randomUUID()}`
          // Random text, so that compression does not make it smaller.
          const large = (n: number) => anEvent({ n, text: randomBytes(210 * 1024).toString('hex') })
          for (let n = 0; n < 30; n++) await store.append(stream, 'any', [large(n)])
          const pages: number[][] = []
          let after = before
          for (;;) {
            const page = await store.readAll({ after, ...(categories && { categories }), limit: 1_000 })
            if (page.position === after) break
            after = page.position
            pages.push(page.events.map((event) => Number(event.data.n)))
          }
          expect(pages.flat()).toEqual(Array.from({ length: 30 }, (_, n) => n))
          expect(pages.length).toBeGreaterThan(1)
          expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(25)
        })
    })

    describe('a subscription', () => {
      test('yields stored events, then new ones, each once and in order, while many clients append', async () => {
        const category = `live${randomUUID().replaceAll('-', '')}`
        const after = await store.head()
        const write = (client: EventStore, n: number) => client.append(`${category}-${n % 7}`, 'any', [anEvent({ n })])
        for (let n = 0; n < 50; n++) await write(store, n)
        const end = new AbortController()
        const seen: RecordedEvent[] = []
        const reading = (async () => {
          for await (const batch of store.subscribe({ after, categories: [category], signal: end.signal })) {
            seen.push(...batch.events)
            if (seen.length >= 1_050) end.abort()
          }
        })()
        const writers = [harness.open(), harness.open(), store]
        await Promise.all(Array.from({ length: 1_000 }, (_, n) => write(writers[n % 3] ?? store, 50 + n)))
        await reading
        expect(seen).toHaveLength(1_050)
        expect(new Set(seen.map((event) => event.id)).size).toBe(1_050)
        const positions = seen.map((event) => event.position)
        expect(positions).toEqual(positions.toSorted())
        for (const writer of writers) if (writer !== store) await writer.close()
      })

      test('resumes from a position without a gap or a repeat', async () => {
        const category = `resume${randomUUID().replaceAll('-', '')}`
        const start = await store.head()
        for (let n = 0; n < 30; n++) await store.append(`${category}-1`, 'any', [anEvent({ n })])
        const take = async (after: Position, count: number) => {
          const end = new AbortController()
          const seen: RecordedEvent[] = []
          for await (const batch of store.subscribe({ after, categories: [category], signal: end.signal })) {
            seen.push(...batch.events)
            if (seen.length >= count) end.abort()
          }
          return seen
        }
        const all = await take(start, 30)
        const later = await take(all[11]?.position ?? BEGINNING, 18)
        expect(later.map((event) => event.data.n)).toEqual(Array.from({ length: 18 }, (_, n) => n + 12))
      })

      test('ends when its signal aborts while it waits', async () => {
        const end = new AbortController()
        const reading = collect(store.subscribe({ after: await store.head(), signal: end.signal }))
        setImmediate(() => end.abort())
        await reading
      })
    })

    if (!hasConnections) return

    describe('a connection that is cut in the middle of an append', () => {
      test.each(['before commit', 'after commit'] as const)('%s: the outcome is unknown', async (moment) => {
        const client = harness.open()
        const failed: unknown[] = []
        await harness.cutMidAppend(
          () => client.append(aStream(), 'any', [anEvent()]).catch((e) => failed.push(e)),
          moment,
        )
        expect(failed[0]).toBeInstanceOf(AppendOutcomeUnknown)
        await client.close()
      })

      test.each(['before commit', 'after commit'] as const)(
        '%s: pursued, it is stored exactly once',
        async (moment) => {
          const client = harness.open()
          const stream = aStream()
          const appender = new PursuingAppender(client, systemClock)
          await appender.append(stream, 'any', [anEvent({ n: 0 })])
          const event = anEvent({ n: 1 })
          let result: unknown
          await harness.cutMidAppend(async () => {
            const pursued = appender.append(stream, 'any', [event])
            // Others go on writing behind it meanwhile.
            result = await pursued
          }, moment)
          expect(result).toMatchObject({ revision: 1 })
          expect((await collect(store.readStream(stream))).map((stored) => stored.id)).toContain(event.id)
          expect(await collect(store.readStream(stream))).toHaveLength(2)
          await client.close()
        },
      )
    })

    test('a closed store finishes appends in flight and refuses new ones', async () => {
      const client = harness.open()
      const stream = aStream()
      const underWay = client.append(stream, 'any', [anEvent()])
      await client.close()
      await underWay
      await expect(client.append(stream, 'any', [anEvent()])).rejects.toBeInstanceOf(StoreUnavailable)
    })
  })
}
