import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { categoryOf } from '../../contracts/streams.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { positionOf as commitPosition } from './eventStoreDb/commitPosition.ts'
import { followTail, ofCategories, type Tail } from './followTail.ts'
import type { EventBatch } from './port.ts'
import { positionOf as consecutive } from './postgres/positionNumber.ts'
import { RECENT_EVENTS_BYTES_MAX, RecentEvents } from './recentEvents.ts'

const PAGE = 8
const CATEGORIES = ['apiKey', 'company', 'ledger']
const CHOICES = [undefined, ['ledger'], ['apiKey', 'company']]

/** A store whose tail learns of new events when the plan says so, and soon forgets them. */
class World {
  readonly stored: { readonly position: Position; readonly event: RecordedEvent | null }[] = []
  readonly end = new AbortController()
  readonly #at: (n: number) => Position
  readonly #batchBytes: number
  #recent: RecentEvents | null = null
  readonly tail: Tail = {
    readers: new Set(),
    after: (position, limit) => this.#recent?.after(position, Math.min(limit, PAGE)) ?? null,
    more: (position, signal) => {
      this.#recent ??= new RecentEvents(position, this.tail.readers)
      return this.#recent.more(position, signal)
    },
  }

  constructor(at: (n: number) => Position, batchBytes: number) {
    this.#at = at
    this.#batchBytes = batchBytes
  }

  /** An event of the category, or one that is hidden from readers. */
  store(category: string | null): void {
    const n = this.stored.length + 1
    const position = this.#at(n)
    const place = { position, stream: `${category}-1`, revision: n, recordedAt: '2026-01-01T00:00:00.000Z' }
    this.stored.push({ position, event: category === null ? null : { ...anEvent({ n }), ...place } })
  }

  /** Adds what is stored to the tail. */
  arrive(count: number): void {
    const recent = this.#recent
    if (!recent) return
    const arrived = this.stored.filter(({ position }) => position > recent.reached).slice(0, count)
    const events = arrived.flatMap(({ event }) => (event ? [event] : []))
    recent.add(events, arrived.at(-1)?.position ?? recent.reached, this.#batchBytes)
    recent.wake()
  }

  async readPage(after: Position, categories: readonly string[] | undefined): Promise<EventBatch> {
    await turn()
    const page = this.stored.filter(({ position }) => position > after).slice(0, PAGE)
    const events = page.flatMap(({ event }) => (event ? [event] : []))
    return ofCategories({ events, position: page.at(-1)?.position ?? after }, categories)
  }
}

/** A reader that takes a batch only when the test asks for one. */
class Follower {
  readonly seen: unknown[] = []
  position = BEGINNING
  readonly #batches: AsyncIterator<EventBatch>
  #isTaking = false

  constructor(world: World, categories: readonly string[] | undefined) {
    const options = { after: BEGINNING, signal: world.end.signal, ...(categories && { categories }) }
    const batches = followTail(world.tail, (after) => world.readPage(after, categories), options)
    this.#batches = batches[Symbol.asyncIterator]()
  }

  take(): void {
    if (this.#isTaking) return
    this.#isTaking = true
    void this.#batches.next().then(({ value }: { value?: EventBatch }) => {
      this.#isTaking = false
      if (!value) return
      this.position = value.position
      this.seen.push(...value.events.map(({ data }) => data.n))
    })
  }
}

/** Three large batches are more than the tail keeps. It forgets small ones once all readers have them. */
const BATCH_BYTES = [1, RECENT_EVENTS_BYTES_MAX]

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ store: fc.constantFrom(null, ...CATEGORIES), count: fc.constantFrom(1, 1, 1, 1, 1, 40) }),
  },
  { weight: 3, arbitrary: fc.record({ arrive: fc.constantFrom(1, 2, 3, 4, 40) }) },
  { weight: 4, arbitrary: fc.record({ take: fc.nat({ max: CHOICES.length - 1 }) }) },
  { weight: 1, arbitrary: fc.record({ turns: fc.integer({ min: 1, max: 3 }) }) },
)

test.each<[string, (n: number) => Position]>([
  ['consecutive numbers', consecutive],
  ['commit positions', (n) => commitPosition(BigInt(n * 137 + (n % 3)))],
])('each follower sees each event of its categories once and in order, with %s', async (_, at) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 200, size: 'max' }),
      fc.constantFrom(...BATCH_BYTES),
      async (steps, batchBytes) => {
        const world = new World(at, batchBytes)
        const followers = CHOICES.map((categories) => new Follower(world, categories))
        for (const done of steps) {
          for (let n = 0; n < ('store' in done ? done.count : 0); n++) world.store('store' in done ? done.store : null)
          if ('arrive' in done) world.arrive(done.arrive)
          if ('take' in done) followers[done.take]?.take()
          for (let n = 0; n < ('turns' in done ? done.turns : 0); n++) await turn()
        }
        const last = world.stored.at(-1)?.position ?? BEGINNING
        for (let n = 0; n < 1_000 && followers.some(({ position }) => position < last); n++) {
          for (const follower of followers) follower.take()
          world.arrive(2)
          await turn()
        }
        world.end.abort()
        followers.forEach(({ seen, position }, n) => {
          const categories = CHOICES[n]
          const events = world.stored.flatMap(({ event }) => (event ? [event] : []))
          const own = events.filter(({ stream }) => !categories || categories.includes(categoryOf(stream)))
          expect(seen).toEqual(own.map(({ data }) => data.n))
          expect(position >= last).toBe(true)
        })
      },
    ),
    { numRuns: propertyRuns({ few: 150, many: 600 }) },
  )
})
