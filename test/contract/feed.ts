import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import type { Feed, FeedBatch } from '../../projections/runner/ports.ts'
import { anEvent } from '../support/events.ts'

/** What the suite needs of an adapter: a feed, and a way to write to the store behind it. */
export type FeedHarness = {
  readonly feed: Feed
  append(stream: string, events: readonly NewEvent[]): Promise<{ readonly position: Position }>
  close(): Promise<void>
}

export function feedContract(name: string, start: () => Promise<FeedHarness>): void {
  describe(`${name} keeps the feed's contract`, () => {
    let harness: FeedHarness
    let feed: Feed
    /** Of its own in every test, so that none sees the events of another. */
    let category: string

    beforeAll(async () => {
      harness = await start()
      feed = harness.feed
    })
    afterAll(() => harness.close())
    beforeEach(() => {
      category = `feed${randomUUID().replaceAll('-', '')}`
    })

    const write = (n: number, stream = 0) => harness.append(`${category}-${stream}`, [anEvent({ n })])
    const fromTheBeginning = (): Checkpoint =>
      Object.fromEntries(feed.partitions.map((partition) => [partition, BEGINNING]))

    /** Follows until the given number of different events has come, or the batches fulfil the condition. */
    async function follow(
      until: number | ((batches: readonly FeedBatch[]) => boolean),
      from: Checkpoint = fromTheBeginning(),
      consumer: string = randomUUID(),
    ): Promise<FeedBatch[]> {
      const end = new AbortController()
      const batches: FeedBatch[] = []
      for await (const batch of feed.subscribe({ consumer, categories: [category], from, signal: end.signal })) {
        batches.push(batch)
        const isEnough = typeof until === 'number' ? distinct(batches).length >= until : until(batches)
        if (isEnough) end.abort()
      }
      return batches
    }

    test('names its partitions, and every batch is of one of them', async () => {
      expect(feed.partitions.length).toBeGreaterThan(0)
      for (let n = 0; n < 20; n++) await write(n, n)
      for (const { partition } of await follow(20)) expect(feed.partitions).toContain(partition)
    })

    test('gives what is stored, then what comes, in the order of each stream, and nothing of other categories', async () => {
      for (let n = 0; n < 30; n++) await write(n, n % 3)
      await harness.append(`other-${randomUUID()}`, [anEvent()])
      const following = follow(90)
      for (let n = 30; n < 90; n++) await write(n, n % 3)
      const events = distinct(await following)
      expect(events).toHaveLength(90)
      for (const stream of [0, 1, 2]) {
        const numbers = events.filter((event) => event.stream === `${category}-${stream}`).map((event) => event.data.n)
        expect(numbers).toEqual(Array.from({ length: 30 }, (_, index) => index * 3 + stream))
      }
    })

    test('gives each event as it was stored, at the position that its append was told', async () => {
      const event = anEvent({ text: 'Zürich 東京 🚀', nested: { amountMicros: '9007199254740993' } })
      const { position } = await harness.append(`${category}-1`, [event])
      const [seen] = distinct(await follow(1))
      expect(seen).toMatchObject({ ...event, stream: `${category}-1`, revision: 0, position })
    })

    test('never repeats an event where it says that ids are unique', async () => {
      for (let n = 0; n < 20; n++) await write(n, n % 4)
      const batches = await follow(20)
      if (feed.idsAreUnique) expect(batches.flatMap((batch) => batch.events)).toHaveLength(20)
    })

    test('moves the position of a partition forwards only, and never short of the events that it gives', async () => {
      for (let n = 0; n < 20; n++) await write(n, n % 4)
      const reached = new Map<string, Position>()
      for (const { partition, position, events } of await follow(20)) {
        expect(position > (reached.get(partition) ?? BEGINNING)).toBe(true)
        for (const event of events) expect(position >= event.position).toBe(true)
        reached.set(partition, position)
      }
    })

    test('resumes from the checkpoint of any batch, without a gap', async () => {
      for (let n = 0; n < 12; n++) await write(n, n % 3)
      const first = await follow(12)
      for (let n = 12; n < 24; n++) await write(n, n % 3)
      for (let taken = 0; taken <= first.length; taken++) {
        const before = first.slice(0, taken)
        const resumed = await follow(24 - distinct(before).length, checkpointAfter(before))
        expect(distinct([...before, ...resumed])).toHaveLength(24)
      }
    })

    test('moves past events of other categories', async () => {
      const { position: own } = await write(0)
      const from = checkpointAfter(await follow(1))
      const { position: foreign } = await harness.append(`other-${randomUUID()}`, [anEvent()])
      const [batch] = await follow((batches) => batches.length === 1, from)
      expect(batch?.events).toEqual([])
      expect(batch && batch.position > own && batch.position <= foreign).toBe(true)
    })

    test('gives everything to each consumer', async () => {
      for (let n = 0; n < 10; n++) await write(n, n % 3)
      const [one, other] = await Promise.all([follow(10), follow(10)])
      expect(
        distinct(one)
          .map((event) => event.id)
          .sort(),
      ).toEqual(
        distinct(other)
          .map((event) => event.id)
          .sort(),
      )
    })

    test('ends when its signal aborts while it waits, and when it was aborted before', async () => {
      for (const abort of [
        (end: AbortController) => setImmediate(() => end.abort()),
        (end: AbortController) => end.abort(),
      ]) {
        const end = new AbortController()
        const subscription = { consumer: randomUUID(), categories: [category], from: fromTheBeginning() }
        abort(end)
        for await (const batch of feed.subscribe({ ...subscription, signal: end.signal }))
          expect(batch.events).toEqual([])
      }
    })

    function checkpointAfter(batches: readonly FeedBatch[]): Checkpoint {
      return {
        ...fromTheBeginning(),
        ...Object.fromEntries(batches.map(({ partition, position }) => [partition, position])),
      }
    }
  })
}

function distinct(batches: readonly FeedBatch[]): RecordedEvent[] {
  return [...new Map(batches.flatMap((batch) => batch.events.map((event) => [event.id, event]))).values()]
}
