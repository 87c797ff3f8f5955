import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import type { Feed, FeedBatch } from '../../projections/runner/ports.ts'
import { anEvent } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

/** What the suite needs from an adapter: a feed, and a way to write to the store behind it. */
export type FeedHarness = {
  readonly feed: Feed
  append(stream: string, events: readonly NewEvent[]): Promise<{ readonly position: Position }>
  close(): Promise<void>
}

const CATEGORIES = ['job'] as const
const STREAMS = 4

/** `start` is called once, with the context of the first test, which skips where the feed's engine is missing. */
export function feedContract(
  name: string,
  start: (context: TestContext) => Promise<FeedHarness>,
  timeout = 15_000,
): void {
  describe(`${name} keeps the feed's contract`, { timeout }, () => {
    let started: FeedHarness | undefined
    let harness: FeedHarness
    let feed: Feed

    beforeEach(async (context) => {
      started ??= await start(context)
      harness = started
      feed = harness.feed
    }, timeout)
    afterAll(() => started?.close(), timeout)

    describe.each([
      ['that shares the partitions with others of its name', true],
      ['that reads for itself', false],
    ])('with a subscriber %s', (_, shared) => {
      /** Different in every test, so that no test sees the events of another. */
      let streams: string[]
      let from: Checkpoint

      beforeEach(async () => {
        streams = Array.from({ length: STREAMS }, () => `job-${randomUUID()}`)
        const { position } = await harness.append(`talent-${randomUUID()}`, [anEvent()])
        from = everywhere(position)
      })

      const everywhere = (position: Position): Checkpoint =>
        Object.fromEntries(feed.partitionsOf(CATEGORIES).map((partition) => [partition, position]))
      const write = (n: number, stream = 0) =>
        harness.append(streams[stream % STREAMS] ?? '', [anEvent({ n, stream: stream % STREAMS })])
      const subscription = (begin: Checkpoint, signal: AbortSignal, consumer: string = randomUUID()) => ({
        consumer,
        shared,
        categories: CATEGORIES,
        reached: async (partition: string) => begin[partition] ?? BEGINNING,
        signal,
      })

      /** Follows until the given number of events has come, or the batches fulfil the condition. */
      async function follow(
        enough: number | ((batches: readonly FeedBatch[]) => boolean),
        begin = from,
      ): Promise<FeedBatch[]> {
        const end = new AbortController()
        const batches: FeedBatch[] = []
        for await (const batch of feed.subscribe(subscription(begin, end.signal))) {
          batches.push(batch)
          if (typeof enough === 'number' ? eventsOf(batches).length >= enough : enough(batches)) end.abort()
        }
        return batches
      }

      test('names its partitions, and yields each event in the partition of its stream', async () => {
        const partitions = feed.partitionsOf(CATEGORIES)
        expect(new Set(partitions).size).toBe(partitions.length)
        for (let n = 0; n < 20; n++) await write(n, n)
        for (const { partition, events } of await follow(20)) {
          expect(partitions).toContain(partition)
          for (const { stream } of events) expect(feed.partitionOf(stream)).toBe(partition)
        }
      })

      test('yields stored events, then new ones, in the order of each stream, and none of other categories', async () => {
        for (let n = 0; n < 40; n++) await write(n, n)
        await harness.append(`talent-${randomUUID()}`, [anEvent()])
        const following = follow(120)
        for (let n = 40; n < 120; n++) await write(n, n)
        const events = eventsOf(await following)
        expect(events).toHaveLength(120)
        streams.forEach((stream, index) => {
          const numbers = events.filter((event) => event.stream === stream).map((event) => event.data.n)
          expect(numbers).toEqual(Array.from({ length: 30 }, (_, n) => n * STREAMS + index))
        })
      })

      test('yields everything to a subscriber that starts at the beginning', async () => {
        for (let n = 0; n < 8; n++) await write(n, n)
        const isWhole = (batches: readonly FeedBatch[]) =>
          eventsOf(batches).filter(({ stream }) => streams.includes(stream)).length === 8
        const events = eventsOf(await follow(isWhole, everywhere(BEGINNING)))
        const first = new Map(events.toReversed().map(({ stream, revision }) => [stream, revision]))
        expect(new Set(first.values())).toEqual(new Set([0]))
      })

      test('yields each event as it was stored, at the position that its append returned', async () => {
        const event = anEvent({ text: 'Zürich 東京 🚀', nested: { amountMicros: '9007199254740993' } })
        const { position } = await harness.append(streams[0] ?? '', [event])
        const [seen] = eventsOf(await follow(1))
        expect(seen).toMatchObject({ ...event, stream: streams[0], revision: 0, position })
        expect(seen?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
      })

      test('yields each event once', async () => {
        for (let n = 0; n < 20; n++) await write(n, n)
        const events = eventsOf(await follow(20))
        if (feed.idsAreUnique) expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
        expect(new Set(events.map(({ position }) => position)).size).toBe(events.length)
      })

      test('starts every batch of a partition where the previous one ended', async () => {
        const following = follow(20)
        for (let n = 0; n < 20; n++) await write(n, n)
        const reached = new Map(Object.entries(from))
        for (const { partition, after, position, events } of await following) {
          expect(after).toBe(reached.get(partition))
          expect(position > after).toBe(true)
          for (const event of events) expect(event.position > after && event.position <= position).toBe(true)
          reached.set(partition, position)
        }
      })

      test('resumes from the checkpoint of any batch, without a gap and without a repeat', async () => {
        for (let n = 0; n < 12; n++) await write(n, n)
        const first = await follow(12)
        for (let n = 12; n < 24; n++) await write(n, n)
        for (const taken of new Set([0, 1, Math.floor(first.length / 2), first.length])) {
          const before = first.slice(0, taken)
          const checkpoint = checkpointAfter(from, before)
          const resumed = await follow(24 - eventsOf(before).length, checkpoint)
          const ids = eventsOf([...before, ...resumed]).map(({ id }) => id)
          expect(new Set(ids).size).toBe(24)
          expect(ids).toHaveLength(24)
        }
      })

      test('moves past events of other categories in every partition', async () => {
        const { position } = await harness.append(`talent-${randomUUID()}`, [anEvent()])
        const areAllPast = (batches: readonly FeedBatch[]) =>
          Object.values(checkpointAfter(from, batches)).every((reached) => reached >= position)
        const batches = await follow(areAllPast)
        expect(eventsOf(batches)).toEqual([])
      })

      test('yields everything to each consumer', async () => {
        for (let n = 0; n < 10; n++) await write(n, n)
        const ids = (batches: readonly FeedBatch[]) => eventsOf(batches).map(({ id }) => id)
        const [one, other] = await Promise.all([follow(10), follow(10)])
        expect(ids(one).sort()).toEqual(ids(other).sort())
      })

      test('skips nothing when one of two subscribers with the same name leaves', async () => {
        const consumer = randomUUID()
        const reached = new Map(Object.entries(from))
        const seen = new Map<string, RecordedEvent>()
        const subscriber = () => {
          const end = new AbortController()
          const run = async () => {
            const own = subscription({}, end.signal, consumer)
            const reachedIn = async (partition: string) => reached.get(partition) ?? BEGINNING
            for await (const { partition, events, position } of feed.subscribe({ ...own, reached: reachedIn })) {
              for (const event of events) seen.set(event.id, event)
              if (position > (reached.get(partition) ?? BEGINNING)) reached.set(partition, position)
            }
          }
          const ended = run()
          return {
            stop: async () => {
              end.abort()
              await ended
            },
          }
        }
        const first = subscriber()
        const second = subscriber()
        const all = async (count: number) => until(`${count} events came`, () => seen.size === count, timeout)
        for (let n = 0; n < 12; n++) await write(n, n)
        await all(12)
        await first.stop()
        for (let n = 12; n < 24; n++) await write(n, n)
        await all(24)
        await second.stop()
      })

      test('ends when its signal aborts while it waits, and when it was aborted before', async () => {
        for (const abort of [
          (end: AbortController) => setImmediate(() => end.abort()),
          (end: AbortController) => end.abort(),
        ]) {
          const end = new AbortController()
          abort(end)
          for await (const batch of feed.subscribe(subscription(from, end.signal))) expect(batch.events).toEqual([])
        }
      })
    })
  })
}

function eventsOf(batches: readonly FeedBatch[]): RecordedEvent[] {
  return batches.flatMap((batch) => batch.events)
}

function checkpointAfter(from: Checkpoint, batches: readonly FeedBatch[]): Checkpoint {
  return { ...from, ...Object.fromEntries(batches.map(({ partition, position }) => [partition, position])) }
}
