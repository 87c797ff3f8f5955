import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { CATEGORIES } from '../../contracts/streams.ts'
import { type OutgoingMessage, partitionName, topicPartitionsOf } from '../../contracts/topics.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Publisher } from '../../platform/feed/kafkaPublisher.ts'
import { beginEpoch, RelayReplaced, readRelayStatus, saveProgress } from '../../platform/feed/relayProgress.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { until } from '../../test/support/time/until.ts'
import { publishAll, RELAY_GATHER_MS } from './publishing.ts'

const ALL = CATEGORIES.flatMap(topicPartitionsOf).map(partitionName)
let harness: PostgresStoreHarness

beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
})
afterEach(() => harness.close())

/** Topics in memory that fail on demand. */
class Topics implements Publisher {
  readonly messages: OutgoingMessage[] = []
  /** How many messages of the next request still arrive before it fails. */
  failsAfter: number | null = null
  requestsWithEvents = 0

  async prepareTopics(): Promise<void> {}

  async send(messages: readonly OutgoingMessage[]): Promise<void> {
    if (this.failsAfter !== null && messages.some(({ event }) => event)) {
      this.messages.push(...messages.slice(0, this.failsAfter))
      throw new Error('the broker is gone')
    }
    if (messages.some(({ event }) => event)) this.requestsWithEvents++
    this.messages.push(...messages)
  }

  async close(): Promise<void> {}

  get events() {
    return this.messages.flatMap(({ event }) => event ?? [])
  }
}

function lead(topics: Publisher, epoch: number) {
  const end = new AbortController()
  const { database, store } = harness
  const ended = publishAll({ database, store, publisher: topics, clock: systemClock }, { epoch, signal: end.signal })
  ended.catch(() => {})
  const stop = async () => {
    end.abort()
    await ended
  }
  return { ended, stop }
}

async function append(count: number): Promise<Position | undefined> {
  let last: Position | undefined
  for (let n = 0; n < count; n++) {
    const stream = `${n % 3 === 0 ? 'job' : 'ledger'}-${randomUUID()}`
    last = (await harness.store.append(stream, 'none', [anEvent({ n })])).position
  }
  return last
}

describe('a leading relay', () => {
  test('publishes stored and new events once and in order, and stores its progress', async () => {
    await append(5)
    const topics = new Topics()
    const term = lead(topics, 1)
    const last = await append(20)
    await until('all is published', () => topics.events.length === 25)
    const positions = topics.events.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted())
    await until('it is stored', async () => (await readRelayStatus(harness.database)).position === last)
    await term.stop()
  })

  test('gathers events that arrive one by one into few requests', async () => {
    const topics = new Topics()
    const term = lead(topics, 1)
    const begun = performance.now()
    await append(100)
    await until('all is published', () => topics.events.length === 100)
    const gatherings = (performance.now() - begun) / RELAY_GATHER_MS
    expect(topics.requestsWithEvents).toBeLessThanOrEqual(Math.ceil(gatherings) + 1)
    await term.stop()
  })

  test('advances every partition by watermarks, also those without events', async () => {
    const topics = new Topics()
    const term = lead(topics, 1)
    const last = await append(4)
    await until('all are there', async () => {
      const { partitions } = await readRelayStatus(harness.database)
      return ALL.every((name) => partitions[name] === last)
    })
    const silent = topics.messages.filter(({ category }) => category === 'talent')
    expect(silent.at(-1)).toMatchObject({ position: last, event: null })
    await term.stop()
  })

  test('sends a heartbeat on every partition when it starts', async () => {
    const topics = new Topics()
    const term = lead(topics, 1)
    await until('it has begun', () => topics.messages.length > 0)
    expect(topics.messages.map(partitionName)).toEqual(ALL)
    await term.stop()
  })

  test('continues where the last leader stopped', async () => {
    await append(5)
    const topics = new Topics()
    const first = lead(topics, 1)
    await until('all is published', () => topics.events.length === 5)
    await first.stop()
    await append(5)
    const second = lead(topics, 2)
    await until('the rest is published', () => topics.events.length === 10)
    expect(new Set(topics.events.map(({ id }) => id)).size).toBe(10)
    await second.stop()
  })

  test('ends with the error of a failed request, and the next leader repeats that request', async () => {
    const topics = new Topics()
    topics.failsAfter = 2
    await append(5)
    await expect(lead(topics, 1).ended).rejects.toThrow('the broker is gone')
    expect(topics.events).toHaveLength(2)
    topics.failsAfter = null
    const second = lead(topics, 2)
    await until('all is published', () => new Set(topics.events.map(({ id }) => id)).size === 5)
    expect(topics.events).toHaveLength(7)
    await second.stop()
  })

  test('is stopped by its epoch when another relay took over, and does not move the position back', async () => {
    const topics = new Topics()
    const stale = lead(topics, 1)
    await until('it has begun', () => topics.messages.length > 0)
    const second = lead(new Topics(), 2)
    await until('the other one has begun', async () => (await readRelayStatus(harness.database)).epoch === 2)
    await append(3)
    await expect(stale.ended).rejects.toThrow(RelayReplaced)
    await expect(saveProgress(harness.database, 1, '' as Position, new Map())).rejects.toThrow(RelayReplaced)
    await expect(beginEpoch(harness.database, 1)).rejects.toThrow(RelayReplaced)
    await second.stop()
  })

  test('refuses an event store that the topics were not filled from', async () => {
    await beginEpoch(harness.database, 1)
    await saveProgress(harness.database, 1, '0000000000000099' as Position, new Map())
    await expect(lead(new Topics(), 2).ended).rejects.toThrow(/published up to 0*99: it is not the event store/)
  })
})
