import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Checkpoint, type Position } from '../../contracts/position.ts'
import { CATEGORIES, type Category } from '../../contracts/streams.ts'
import { type OutgoingMessage, partitionName, topicPartitionOf, topicPartitionsOf } from '../../contracts/topics.ts'
import { PartitionReader } from '../../platform/feed/partitionReader.ts'
import { anEvent, collect } from '../../test/support/events/events.ts'
import { OutgoingMessages } from './outgoingMessages.ts'

const at = (number: number) => (number === 0 ? BEGINNING : (String(number).padStart(16, '0') as Position))
const all = CATEGORIES.flatMap(topicPartitionsOf).map(partitionName)

function recorded(number: number, stream: string): RecordedEvent {
  return { ...anEvent(), stream, revision: 0, position: at(number), recordedAt: '2026-01-01T00:00:00.000Z' }
}

const nameOf = (stream: string) => {
  const place = topicPartitionOf(stream)
  return place ? partitionName(place) : null
}
const summary = (messages: readonly OutgoingMessage[]) =>
  messages.map((message) => [partitionName(message), message.previous, message.position, message.event !== null])

describe('the messages of a relay', () => {
  test('contain the position of their predecessor on the partition', () => {
    const messages = new OutgoingMessages(BEGINNING, {})
    const [a, b] = ['ledger-a', 'ledger-b']
    const first = messages.of({ events: [recorded(1, a), recorded(2, b), recorded(3, a)], position: at(3) })
    expect(summary(first).slice(0, 3)).toEqual([
      [nameOf(a), at(0), at(1), true],
      [nameOf(b), at(0), at(2), true],
      [nameOf(a), at(1), at(3), true],
    ])
    expect(summary(first)).toContainEqual([nameOf(b), at(2), at(3), false])
    const [next] = messages.of({ events: [recorded(4, b)], position: at(4) })
    expect(next).toMatchObject({ previous: at(3), position: at(4) })
  })

  test('advance every partition of a category with events to the same position at once', () => {
    const messages = new OutgoingMessages(BEGINNING, {})
    const outgoing = messages.of({ events: [recorded(1, 'ledger-a')], position: at(7) })
    const reached = new Map(outgoing.map((message) => [partitionName(message), message.position]))
    expect(Object.fromEntries(reached)).toEqual({
      'ledger/0': at(7),
      'ledger/1': at(7),
      'ledger/2': at(7),
      'ledger/3': at(7),
    })
    expect(messages.someAreBehind).toBe(true)
  })

  test('advance all other partitions by watermarks, once', () => {
    const messages = new OutgoingMessages(BEGINNING, {})
    messages.of({ events: [recorded(1, 'ledger-a')], position: at(7) })
    const marks = messages.watermarks()
    expect(marks.map(partitionName)).toEqual(all.filter((name) => !name.startsWith('ledger/')))
    expect(marks.every(({ event, position, previous }) => !event && position === at(7) && previous === BEGINNING)).toBe(
      true,
    )
    expect(messages.someAreBehind).toBe(false)
    expect(messages.watermarks()).toEqual([])
  })

  test('include heartbeats on every partition without new events', () => {
    const messages = new OutgoingMessages(at(7), {})
    expect(messages.heartbeats().map(partitionName)).toEqual(all)
  })

  test('continue from the stored positions, and start a new partition at the position of the relay', () => {
    const messages = new OutgoingMessages(at(50), { 'job/0': at(40), 'job/1': at(30) })
    const previous = new Map(messages.heartbeats().map((message) => [partitionName(message), message.previous]))
    expect([previous.get('job/0'), previous.get('job/1'), previous.get('ledger/0')]).toEqual([at(40), at(30), at(50)])
  })

  test('skip events of unknown categories', () => {
    const messages = new OutgoingMessages(BEGINNING, {})
    expect(messages.of({ events: [recorded(1, 'comet-1')], position: at(1) })).toEqual([])
    expect(messages.position).toBe(at(1))
  })

  test('report each changed partition once, for storing', () => {
    const messages = new OutgoingMessages(BEGINNING, {})
    messages.of({ events: [recorded(1, 'pricing-book')], position: at(1) })
    expect(messages.takeChanges()).toEqual(new Map([['pricing/0', at(1)]]))
    expect(messages.takeChanges()).toEqual(new Map())
  })
})

/**
 * The central invariant: a consumer that knows its position gets every event of its partition, once and in order,
 * whatever relays repeat and whatever Kafka loses.
 */
describe('relays that die and topics that lose messages', () => {
  const streams = ['ledger-a', 'ledger-b', 'ledger-c', 'ledger-d', 'apiKey-1', 'job-1', 'pricing-book']
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('publish' as const), events: fc.integer({ min: 1, max: 6 }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('watermarks' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('save' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('die' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('be replaced' as const) }) },
  )

  test('never make a consumer miss, repeat or reorder events', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...streams), { maxLength: 40 }),
        fc.array(step, { maxLength: 25 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }),
        fc.nat(20),
        async (written, steps, isLost, from) => {
          const store = written.map((stream, index) => recorded(index + 1, stream))
          const inTheTopic = published(store, steps).filter((_, n) => !isLost[n % isLost.length])
          const topic = [...inTheTopic, ...ending(store)]
          for (const name of ['ledger/0', 'ledger/2', 'apiKey/1', 'pricing/0']) {
            const kept = topic.filter((message) => partitionName(message) === name)
            const own = store.filter(({ stream }) => nameOf(stream) === name)
            const start = at(Math.min(from, store.length))
            const reader = new PartitionReader(name, start, async (after) => {
              const page = store.filter(({ position }) => position > after).slice(0, 4)
              return { events: page.filter((event) => own.includes(event)), position: page.at(-1)?.position ?? after }
            })
            const batches = await collect(reader.read(kept))
            expect(batches.flatMap(({ events }) => events)).toEqual(own.filter(({ position }) => position > start))
            expect(reader.reached >= at(store.length)).toBe(true)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  type Step = { kind: 'publish'; events: number } | { kind: 'watermarks' | 'save' | 'die' | 'be replaced' }

  /** One log for all partitions, as written by relays that come and go. */
  function published(store: readonly RecordedEvent[], steps: readonly Step[]): OutgoingMessage[] {
    const log: OutgoingMessage[] = []
    let saved: { position: Position; last: Checkpoint } = { position: BEGINNING, last: {} }
    let messages = new OutgoingMessages(saved.position, saved.last)
    let stale: OutgoingMessages | null = null
    const publish = (relay: OutgoingMessages, count: number) => {
      const events = store.filter(({ position }) => position > relay.position).slice(0, count)
      log.push(...relay.of({ events, position: events.at(-1)?.position ?? relay.position }))
    }
    for (const one of steps) {
      if (one.kind === 'publish') publish(messages, one.events)
      // The replaced relay does not know it yet.
      if (one.kind === 'publish' && stale) publish(stale, one.events)
      if (one.kind === 'watermarks') log.push(...messages.watermarks())
      if (one.kind === 'save') {
        const last = { ...saved.last, ...Object.fromEntries(messages.takeChanges()) }
        saved = { position: messages.position, last }
      }
      if (one.kind === 'be replaced') stale = messages
      if (one.kind === 'die' || one.kind === 'be replaced') messages = new OutgoingMessages(saved.position, saved.last)
    }
    return log
  }

  /** A relay that has reached the head sends heartbeats. */
  function ending(store: readonly RecordedEvent[]): OutgoingMessage[] {
    return new OutgoingMessages(at(store.length), {}).heartbeats()
  }
})

test('every category has its partitions', () => {
  const ofCategory = (category: Category) => all.filter((name) => name.startsWith(`${category}/`))
  for (const category of CATEGORIES) expect(ofCategory(category).length).toBeGreaterThan(0)
})
