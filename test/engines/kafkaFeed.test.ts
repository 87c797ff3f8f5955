import { randomUUID } from 'node:crypto'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { type Category, type StreamName, streamName } from '../../contracts/streams.ts'
import { PARTITION_COUNTS, partitionName, type TopicMessage, topicPartitionOf } from '../../contracts/topics.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { ReadAllOptions, TypedEventStore } from '../../platform/eventStore/port.ts'
import { kafkaFeed } from '../../platform/feed/kafkaFeed.ts'
import { kafkaPublisher } from '../../platform/feed/kafkaPublisher.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import type { Feed, FeedBatch, FeedCarrier } from '../../projections/runner/ports.ts'
import { sharedKafka, startTestKafka } from '../support/engines/kafkaBroker.ts'
import { KafkaFeedHarness } from '../support/engines/kafkaFeedHarness.ts'
import { anEvent } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

const WAIT_MS = 40_000
let harness: KafkaFeedHarness

async function openHarness(addresses: string) {
  const opened = await KafkaFeedHarness.open(addresses)
  onTestFinished(() => opened.close())
  return opened
}

type FollowOptions = {
  readonly feed?: Feed
  readonly consumer?: string
  readonly shared?: boolean
  readonly carrier?: FeedCarrier
  readonly categories?: readonly Category[]
  readonly reached?: (partition: string) => Promise<Position>
}

/** Subscribes until the test is over, and keeps what comes. */
function follow({ feed = harness.feed, consumer = randomUUID(), shared = true, carrier, ...rest }: FollowOptions = {}) {
  const { categories = ['ledger'] as const, reached = async () => BEGINNING } = rest
  const end = new AbortController()
  const batches: FeedBatch[] = []
  const run = async () => {
    const subscription = { consumer, shared, carrier, categories, reached, signal: end.signal }
    for await (const batch of feed.subscribe(subscription)) batches.push(batch)
  }
  const ended = run()
  const stop = async () => {
    end.abort()
    await ended
  }
  onTestFinished(stop)
  const events = () => batches.flatMap((batch) => batch.events)
  return { batches, events, stop }
}

type Follower = ReturnType<typeof follow>
const numbers = (follower: Follower) => follower.events().map(({ data }) => data.n)
const cameTo = (follower: Follower, count: number) =>
  until(`${count} events came`, () => follower.events().length >= count, WAIT_MS)
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

/** One event each on many streams, numbered from the given number on. */
async function append(count: number, first = 0): Promise<Position> {
  let position = BEGINNING
  for (let n = first; n < first + count; n++) {
    position = (await harness.append(streamName('ledger', randomUUID()), [anEvent({ n })])).position
  }
  return position
}

async function published(position: Position): Promise<void> {
  const sql = 'select 1 from feed.relay where position >= $1'
  await until('it is published', async () => (await harness.database.query(sql, [position])).length === 1, WAIT_MS)
}

async function admin(): Promise<Admin> {
  const opened = new Kafka({ brokers: [...harness.brokers], logLevel: logLevel.NOTHING }).admin()
  await opened.connect()
  onTestFinished(() => opened.disconnect())
  return opened
}

/** The store with a count of its reads. */
function countedStore() {
  const storeReads: ReadAllOptions[] = []
  const store: TypedEventStore = Object.create(harness.store)
  store.readAll = (options) => {
    storeReads.push(options)
    return harness.store.readAll(options)
  }
  const { brokers, database, log } = harness
  const feed = kafkaFeed({
    brokers,
    database,
    store,
    log,
    clock: systemClock,
    ids: systemIds,
    upcast: (event) => event,
  })
  return { storeReads, feed }
}

describe('while Kafka runs', () => {
  beforeEach(async (context) => {
    harness = await openHarness(sharedKafka(context))
  })

  describe('a consumer', () => {
    test('reads from the topics alone as long as they have everything', async () => {
      await harness.startRelay()
      const { storeReads, feed } = countedStore()
      await append(30)
      const follower = follow({ feed })
      await append(30, 30)
      await cameTo(follower, 60)
      expect(numbers(follower).toSorted((a, b) => Number(a) - Number(b))).toEqual(upTo(60))
      expect(storeReads).toEqual([])
    })

    test('yields events in their current version', async () => {
      await harness.startRelay()
      await append(1)
      const upcast = (event: RecordedEvent) => ({ ...event, data: { ...event.data, n: 'newer' } })
      const follower = follow({ feed: harness.openFeed(upcast) })
      await cameTo(follower, 1)
      expect(numbers(follower)).toEqual(['newer'])
    })

    test('waits for a relay that comes later', async () => {
      const follower = follow()
      await append(3)
      await harness.startRelay()
      await cameTo(follower, 3)
      expect(follower.events()).toHaveLength(3)
    })

    test('with an unshared subscription yields stored events without a relay, and its group is deleted at the end', async () => {
      await harness.startRelay().then((relay) => relay.drain(1_000))
      const position = await append(5)
      const follower = follow({ consumer: 'gateway', shared: false })
      await until('it is at the head', () =>
        harness.feed
          .partitionsOf(['ledger'])
          .every((name) => follower.batches.some((batch) => batch.partition === name && batch.position >= position)),
      )
      expect(follower.events()).toHaveLength(5)
      const groups = async () => {
        const listed = await (await admin()).listGroups()
        return listed.groups.filter(({ groupId }) => groupId.startsWith(`tollgate-${harness.feedId}-gateway-`))
      }
      await until('its group is there', async () => (await groups()).length === 1)
      await follower.stop()
      expect(await groups()).toEqual([])
    })
  })

  describe('the topic', () => {
    test('was deleted: consumers still get everything', async () => {
      await harness.startRelay()
      await published(await append(20))
      await (await admin()).deleteTopics({ topics: [harness.topic('ledger')] })
      const follower = follow()
      await cameTo(follower, 20)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(20)))
      expect(follower.events()).toHaveLength(20)
    })

    test('was deleted under a consumer, and is created again while events are published', async () => {
      await harness.startRelay()
      const follower = follow()
      await append(10)
      await cameTo(follower, 10)
      await (await admin()).deleteTopics({ topics: [harness.topic('ledger')] })
      await append(10, 10)
      await cameTo(follower, 20)
      await append(10, 20)
      await cameTo(follower, 30)
      expect(follower.events()).toHaveLength(30)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(30)))
      const { topics } = await (await admin()).fetchTopicMetadata({ topics: [harness.topic('ledger')] })
      expect(topics[0]?.partitions).toHaveLength(PARTITION_COUNTS.ledger)
    })

    test('lost its oldest messages: they are read from the store', async () => {
      await harness.startRelay()
      await published(await append(20))
      const client = await admin()
      const topic = harness.topic('ledger')
      const partitions = (await client.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
        partition,
        offset: high,
      }))
      await client.deleteTopicRecords({ topic, partitions })
      const { storeReads, feed } = countedStore()
      const follower = follow({ feed })
      await append(1, 20)
      await cameTo(follower, 21)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(21)))
      expect(follower.events()).toHaveLength(21)
      expect(storeReads.length).toBeGreaterThan(0)
    })

    test('has repeated and reordered messages: each event is yielded once', async () => {
      const relay = await harness.startRelay()
      await published(await append(10))
      await relay.drain(1_000)
      const { events } = await harness.store.readAll({ after: BEGINNING, limit: 100 })
      const publisher = kafkaPublisher(harness)
      onTestFinished(() => publisher.close())
      for (const event of [...events, ...events.toReversed()]) await publisher.send([messageOf(event)])
      const follower = follow()
      await harness.startRelay()
      await append(5, 10)
      await cameTo(follower, 15)
      expect(follower.events()).toHaveLength(15)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(15)))
    })

    test('has messages of another program: they are skipped', async () => {
      await harness.startRelay()
      await append(4)
      const producer = new Kafka({ brokers: [...harness.brokers], logLevel: logLevel.NOTHING }).producer({
        createPartitioner: () => (args) => args.message.partition ?? 0,
      })
      await producer.connect()
      onTestFinished(() => producer.disconnect())
      const strange = upTo(PARTITION_COUNTS.ledger).map((partition) => ({ partition, value: 'hello' }))
      await producer.send({ topic: harness.topic('ledger'), messages: strange })
      const follower = follow()
      await append(4, 4)
      await cameTo(follower, 8)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(8)))
    })

    test('lacks messages in the middle: they are read from the store, in order', async () => {
      const stream = streamName('ledger', randomUUID())
      const relay = await harness.startRelay()
      await relay.drain(1_000)
      for (let n = 0; n < 10; n++) await harness.append(stream, [anEvent({ n })])
      const { events } = await harness.store.readAll({ after: BEGINNING, limit: 100 })
      const publisher = kafkaPublisher(harness)
      onTestFinished(() => publisher.close())
      const follower = follow()
      for (const event of events.filter((_, index) => [0, 4, 9].includes(index))) {
        await publisher.send([messageOf(event, events)])
      }
      await cameTo(follower, 10)
      expect(numbers(follower)).toEqual(upTo(10))
    })
  })

  test('committed offsets are used only if they are right', async () => {
    await harness.startRelay()
    const reached = new Map<string, Position>()
    const consumer = 'hinted'
    const options = { consumer, reached: async (partition: string) => reached.get(partition) ?? BEGINNING }
    const first = follow(options)
    await append(10)
    await cameTo(first, 10)
    await first.stop()
    const client = await admin()
    const topic = harness.topic('ledger')
    const groupId = `tollgate-${harness.feedId}-${consumer}`
    const set = (offsetOf: (high: number) => number) =>
      client.fetchTopicOffsets(topic).then((offsets) =>
        client.setOffsets({
          groupId,
          topic,
          partitions: offsets.map(({ partition, high }) => ({ partition, offset: String(offsetOf(Number(high))) })),
        }),
      )
    // Past messages that this consumer has not seen, beyond the end, and behind what it has seen.
    await set((high) => high)
    const second = follow(options)
    await append(1, 10)
    await cameTo(second, 11)
    await second.stop()
    expect(second.events()).toHaveLength(11)
    for (const { partition, position } of second.batches) reached.set(partition, position)
    await set((high) => high + 1_000)
    const third = follow(options)
    await append(1, 11)
    await cameTo(third, 1)
    await third.stop()
    expect(numbers(third)).toEqual([11])
    await set(() => 0)
    for (const { partition, position } of third.batches) reached.set(partition, position)
    const fourth = follow(options)
    await append(1, 12)
    await cameTo(fourth, 1)
    expect(numbers(fourth)).toEqual([12])
  })

  test('two subscribers of one name share the partitions, and each starts at the positions of its partitions', async () => {
    await harness.startRelay()
    const reached = new Map<string, Position>()
    const given = new Map<string, string[]>()
    const subscriber = (name: string): FollowOptions => ({
      consumer: 'shared',
      reached: async (partition) => {
        given.set(name, [...(given.get(name) ?? []), partition])
        return reached.get(partition) ?? BEGINNING
      },
    })
    const store = (follower: Follower) => {
      for (const { partition, position } of follower.batches) {
        if (position > (reached.get(partition) ?? BEGINNING)) reached.set(partition, position)
      }
    }
    const first = follow(subscriber('first'))
    await append(40)
    await cameTo(first, 40)
    store(first)
    const second = follow(subscriber('second'))
    await until('the group is divided', () => given.has('second'), WAIT_MS)
    await append(40, 40)
    await until('all came', () => first.events().length + second.events().length >= 80, WAIT_MS)
    const partitionsOf = (batches: readonly FeedBatch[]) =>
      new Set(
        batches.filter(({ events }) => events.some(({ data }) => Number(data.n) >= 40)).map((one) => one.partition),
      )
    for (const partition of partitionsOf(first.batches)) expect(partitionsOf(second.batches)).not.toContain(partition)
    expect(second.events().length).toBeGreaterThan(0)
    expect(new Set([...numbers(first), ...numbers(second)])).toEqual(new Set(upTo(80)))
    expect(first.events().length + second.events().length).toBe(80)
  })
})

describe('subscribers of one carrier', () => {
  const carrier: FeedCarrier = { name: 'carrier', categories: ['ledger', 'job'] }
  const groups = async () => {
    const listed = await (await admin()).listGroups()
    return listed.groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(`tollgate-${harness.feedId}`))
  }

  beforeEach(async (context) => {
    harness = await openHarness(sharedKafka(context))
    await harness.startRelay()
  })

  test('are one member of one group, each with the categories it asked for', async () => {
    const ledgers = follow({ carrier })
    const both = follow({ carrier, categories: ['job', 'ledger'] })
    const jobs = follow({ carrier, categories: ['job'] })
    await append(20)
    await harness.append(streamName('job', randomUUID()), [anEvent({ n: 20 })])
    await Promise.all([cameTo(ledgers, 20), cameTo(both, 21), cameTo(jobs, 1)])
    expect(new Set(numbers(ledgers))).toEqual(new Set(upTo(20)))
    expect(new Set(numbers(both))).toEqual(new Set(upTo(21)))
    expect(numbers(jobs)).toEqual([20])
    expect(await groups()).toEqual([`tollgate-${harness.feedId}-carrier`])
    const described = await (await admin()).describeGroups(await groups())
    expect(described.groups[0]?.members).toHaveLength(1)
  })

  test('come and go independently: a later one reads from the store what it missed', async () => {
    const first = follow({ carrier })
    await append(10)
    await cameTo(first, 10)
    const later = follow({ carrier })
    await cameTo(later, 10)
    await first.stop()
    await append(10, 10)
    await cameTo(later, 20)
    expect(later.events()).toHaveLength(20)
    expect(new Set(numbers(later))).toEqual(new Set(upTo(20)))
    expect(first.events()).toHaveLength(10)
    await later.stop()
    const described = await (await admin()).describeGroups(await groups())
    expect(described.groups[0]?.members).toEqual([])
  })

  test('of two processes share the partitions in the same way', async () => {
    const other = harness.openFeed()
    const here = [follow({ carrier }), follow({ carrier })]
    const there = [follow({ feed: other, carrier }), follow({ feed: other, carrier })]
    const partitionsUpTo = (position: Position) =>
      [...here, ...there].map(({ batches }) =>
        [...new Set(batches.filter((one) => one.position >= position).map(({ partition }) => partition))].toSorted(),
      )
    let divided: string[][] = []
    await until(
      'each process has half of the partitions, for both of its subscribers',
      async () => {
        const last = await append(4)
        const allCame = () => new Set(partitionsUpTo(last).flat()).size === PARTITION_COUNTS.ledger
        await until('all came', allCame, WAIT_MS)
        divided = partitionsUpTo(last)
        const [first, second, third, fourth] = divided.map(String)
        return divided.every((half) => half.length === 2) && first === second && third === fourth
      },
      WAIT_MS,
    )
    expect(divided[0]).not.toEqual(divided[2])
  })
})

describe('a Kafka that goes away', () => {
  test('and comes back is used again by relay and consumers, and nothing is missing', async (context) => {
    const kafka = await startTestKafka(context)
    onTestFinished(() => kafka.remove())
    const [broker] = kafka.brokers
    harness = await openHarness(kafka.addresses)
    await harness.startRelay()
    const carrier: FeedCarrier = { name: 'carrier', categories: ['ledger'] }
    const followers = [follow(), follow({ shared: false }), follow({ carrier }), follow({ carrier })]
    await append(10)
    for (const follower of followers) await cameTo(follower, 10)
    await broker?.kill()
    await append(10, 10)
    await broker?.start()
    await append(10, 20)
    for (const follower of followers) {
      await cameTo(follower, 30)
      expect(follower.events()).toHaveLength(30)
      expect(new Set(numbers(follower))).toEqual(new Set(upTo(30)))
    }
  })
})

/** The message that a relay publishes for a stored event, given all events of its partition. */
function messageOf(event: RecordedEvent, onPartition: readonly RecordedEvent[] = []) {
  const place = topicPartitionOf(event.stream as StreamName)
  if (!place) throw new Error(`${event.stream} has no partition`)
  const before = onPartition.filter(
    (other) => other.position < event.position && partitionOf(other) === partitionName(place),
  )
  const previous = before.at(-1)?.position ?? (onPartition.length > 0 ? BEGINNING : justBefore(event.position))
  return { ...place, position: event.position, previous, event } satisfies TopicMessage & typeof place
}

function partitionOf({ stream }: RecordedEvent): string | null {
  const place = topicPartitionOf(stream)
  return place && partitionName(place)
}

/** True whatever stands there: nothing lies between two positions that follow on each other. */
function justBefore(position: Position): Position {
  return String(Number(position) - 1).padStart(position.length, '0') as Position
}
