import { randomUUID } from 'node:crypto'
import { type Admin, ConfigResourceTypes, Kafka, logLevel } from 'kafkajs'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { CATEGORIES, streamName } from '../../contracts/streams.ts'
import { PARTITION_COUNTS, TOPICS } from '../../contracts/topics.ts'
import { SettingError } from '../../platform/config/settingError.ts'
import { EVENT_DATA_BYTES_MAX } from '../../platform/eventStore/eventGuard.ts'
import { readRelayStatus } from '../../platform/feed/relayProgress.ts'
import { LEASE_RENEWAL_MS, readLeases } from '../../platform/leases/leases.ts'
import { RELAY_LEASE_MS } from '../../services/relay/relay.ts'
import { sharedKafka } from '../support/engines/kafkaBroker.ts'
import { KafkaFeedHarness } from '../support/engines/kafkaFeedHarness.ts'
import { startFeedChild } from '../support/engines/startFeedChild.ts'
import { anEvent } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

const WAIT_MS = 40_000
/** An expired lease is taken within half the time between two renewals. */
const TAKEOVER_MS = RELAY_LEASE_MS + LEASE_RENEWAL_MS / 2
let harness: KafkaFeedHarness

beforeEach(async (context) => {
  harness = await KafkaFeedHarness.open(sharedKafka(context))
  onTestFinished(() => harness.close())
})

async function admin(): Promise<Admin> {
  const opened = new Kafka({ brokers: [...harness.brokers], logLevel: logLevel.NOTHING }).admin()
  await opened.connect()
  onTestFinished(() => opened.disconnect())
  return opened
}

const append = (n: number, stream = streamName('ledger', randomUUID())) => harness.append(stream, [anEvent({ n })])

/** Appends until it is stopped, at the latest at the end of the test. */
function keepWriting() {
  let isOver = false
  let last = BEGINNING
  let count = 0
  const writing = (async () => {
    while (!isOver) {
      const stored = await Promise.all(Array.from({ length: 20 }, () => append(count++)))
      for (const { position } of stored) if (position > last) last = position
    }
  })()
  const stop = async () => {
    isOver = true
    await writing
    return { last, count }
  }
  onTestFinished(async () => void (await stop()))
  return { stop }
}

async function published(position: Position): Promise<void> {
  await until('it is published', async () => (await readRelayStatus(harness.database)).position >= position, WAIT_MS)
}

/** All that a consumer of the topics gets until it has been given the position in every partition. */
async function readUpTo(position: Position): Promise<RecordedEvent[]> {
  const end = new AbortController()
  const events: RecordedEvent[] = []
  const behind = new Set(harness.feed.partitionsOf(['ledger']))
  const subscription = {
    consumer: randomUUID(),
    shared: true,
    categories: ['ledger'] as const,
    reached: async () => BEGINNING,
  }
  for await (const batch of harness.feed.subscribe({ ...subscription, signal: end.signal })) {
    events.push(...batch.events)
    if (batch.position >= position) behind.delete(batch.partition)
    if (behind.size === 0) end.abort()
  }
  return events
}

describe('topics', () => {
  test('are created with their partitions, their retention and as many replicas as there are brokers', async () => {
    await harness.startRelay()
    const client = await admin()
    const { topics } = await client.fetchTopicMetadata({
      topics: CATEGORIES.map((category) => harness.topic(category)),
    })
    const counts = topics.map(({ name, partitions }) => [name, partitions.length])
    expect(Object.fromEntries(counts)).toEqual(
      Object.fromEntries(CATEGORIES.map((category) => [harness.topic(category), PARTITION_COUNTS[category]])),
    )
    const { resources } = await client.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: harness.topic('ledger'), configNames: ['retention.ms'] }],
    })
    expect(resources[0]?.configEntries[0]?.configValue).toBe(String(TOPICS.retentionMs))
  })

  test('with another number of partitions are refused in one line, and left as they are', async () => {
    const client = await admin()
    const topic = harness.topic('ledger')
    await client.createTopics({ topics: [{ topic, numPartitions: 3 }], waitForLeaders: true })
    const refusal = await harness.startRelay().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SettingError)
    expect((refusal as Error).message).toMatch(/^KAFKA_BROKERS: topic \S+ has 3 partitions instead of 4, .*[^\n]$/)
    const { topics } = await client.fetchTopicMetadata({ topics: [topic] })
    expect(topics[0]?.partitions).toHaveLength(3)
  })
})

describe('events', () => {
  test('of the largest size pass, many at once and on one partition', async () => {
    const stream = streamName('ledger', randomUUID())
    const text = 'x'.repeat(EVENT_DATA_BYTES_MAX - 100)
    let position = BEGINNING
    for (let n = 0; n < 6; n++) position = (await harness.append(stream, [anEvent({ n, text })])).position
    await harness.startRelay()
    await published(position)
    const events = await readUpTo(position)
    expect(events.map(({ data }) => data.n)).toEqual([0, 1, 2, 3, 4, 5])
    expect(events.every(({ data }) => data.text === text)).toBe(true)
  })
})

describe('of two relays', () => {
  test('one leads; when it stops, the other one continues at its position', async () => {
    // On a busy machine, a lease of a second would expire between two renewals.
    const relays = [await harness.startRelay(60_000), await harness.startRelay(60_000)]
    let position = BEGINNING
    for (let n = 0; n < 20; n++) position = (await append(n)).position
    await published(position)
    const [lease] = await readLeases(harness.database)
    expect(lease).toMatchObject({ name: 'relay', epoch: 1 })
    await relays[0]?.drain(1_000)
    position = (await append(20)).position
    await published(position)
    expect(await readLeases(harness.database)).toMatchObject([{ name: 'relay', epoch: 2 }])
    const events = await readUpTo(position)
    expect(events).toHaveLength(21)
    const offsets = await (await admin()).fetchTopicOffsets(harness.topic('ledger'))
    expect(offsets.reduce((sum, { high }) => sum + Number(high), 0)).toBeLessThan(200)
  })

  test('the other one takes over within five seconds when the leader is killed in the middle, and nothing is lost', async () => {
    const child = await startFeedChild({
      role: 'relay',
      databaseUrl: harness.database.url,
      addresses: harness.brokers.join(','),
      // On a busy machine, a lease of three seconds would expire between two renewals, before the child is killed.
      leaseMs: 15_000,
    })
    await until('the child leads', async () => (await readLeases(harness.database)).length === 1, WAIT_MS)
    await harness.startRelay(RELAY_LEASE_MS)
    const writer = keepWriting()
    await until('it is in the middle', async () => (await readRelayStatus(harness.database)).position > '', WAIT_MS)
    expect((await readRelayStatus(harness.database)).epoch).toBe(1)
    await child.kill()
    await until('the other one leads', async () => (await readRelayStatus(harness.database)).epoch > 1, WAIT_MS)
    // Measured, it would be longer on a busy machine.
    expect(TAKEOVER_MS).toBeLessThan(5_000)
    const { last, count } = await writer.stop()
    await published(last)
    const events = await readUpTo(last)
    expect(new Set(events.map(({ data }) => data.n)).size).toBe(count)
    expect(events).toHaveLength(count)
  })
})
