import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import { type EventStore, StoreUnavailable } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { EventStoreCluster } from '../support/eventStores/eventStoreCluster.ts'
import type { EventStoreServer } from '../support/eventStores/eventStoreServer.ts'
import { anEvent } from '../support/events/events.ts'
import { until } from '../support/time/until.ts'

const OUTAGE_MS_MAX = 150_000
const STREAMS = 10

let cluster: EventStoreCluster | undefined
/** The streams of each test have a name of their own. */
let run = 0
let faulty: EventStoreServer | null = null
const stores: EventStore[] = []
let running: Writer[] = []

beforeEach(async (context) => {
  cluster ??= await EventStoreCluster.start(context)
  await cluster.whole()
  run++
})
afterEach(async () => {
  // A test that ended early has not stopped them, and without a store they would fail in an endless loop.
  const stopped = running.map((writer) => writer.stop())
  running = []
  for (const store of stores.splice(0)) await store.close()
  await Promise.all(stopped)
  await mend()
})
afterAll(() => cluster?.stop())

function nodes(): EventStoreCluster {
  if (!cluster) throw new Error('the cluster has not started')
  return cluster
}

async function mend(): Promise<void> {
  if (!faulty) return
  faulty.thaw()
  await faulty.kill()
  faulty = null
  // Starts it again, and once more if it has to truncate its log.
  await nodes().whole()
}

function opened(url: string): EventStore {
  const store = openEventStoreDb(url, {
    clock: systemClock,
    ids: systemIds,
    prefix: 'tollgate.',
    log: pino({ enabled: false }),
  })
  stores.push(store)
  return store
}

function streamOf(number: number): string {
  return `test-${run}-${number}`
}

/** Appends one event after the other, and keeps those whose append succeeded. */
class Writer {
  readonly stored: NewEvent[] = []
  readonly failures: unknown[] = []
  readonly #appender: PursuingAppender
  #isStopped = false
  #running: Promise<void>

  constructor(store: EventStore) {
    this.#appender = new PursuingAppender(store, systemClock, OUTAGE_MS_MAX)
    this.#running = this.#run()
    running.push(this)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const event = anEvent()
      try {
        await this.#appender.append(streamOf(n % STREAMS), 'any', [event])
        this.stored.push(event)
      } catch (error) {
        this.failures.push(error)
      }
    }
  }
}

/** Everything that a follower gets, as it comes. */
function followed(store: EventStore): RecordedEvent[] {
  const events: RecordedEvent[] = []
  const follow = async () => {
    for await (const batch of store.subscribe({ after: BEGINNING, signal: new AbortController().signal })) {
      events.push(...batch.events.filter(({ stream }) => stream.startsWith(`test-${run}-`)))
    }
  }
  void follow()
  return events
}

async function killLeader(cluster: EventStoreCluster): Promise<EventStoreServer> {
  const leader = await cluster.leader()
  await leader.kill()
  await cluster.leader(leader)
  return leader
}

describe.each([
  ['is killed', killLeader],
  ['freezes', (cluster: EventStoreCluster, context: TestContext) => cluster.freezeLeader(context)],
])('when the leader %s', (_, fail) => {
  test('appends and subscriptions go on with the next one, and every event is there once', async (context) => {
    const store = opened(nodes().url)
    const events = followed(store)
    const writers = Array.from({ length: 5 }, () => new Writer(store))
    await until('events were stored', () => writers.every(({ stored }) => stored.length > 10))
    faulty = await fail(nodes(), context)
    const before = writers.map(({ stored }) => stored.length)
    await until(
      'every writer goes on',
      () => writers.every(({ stored }, index) => stored.length > (before[index] ?? 0) + 10),
      OUTAGE_MS_MAX,
    )
    await Promise.all(writers.map((writer) => writer.stop()))
    expect(writers.flatMap(({ failures }) => failures)).toEqual([])
    const stored = writers.flatMap(({ stored }) => stored.map(({ id }) => id))
    await until('the follower has them all', () => events.length >= stored.length, OUTAGE_MS_MAX)
    expect(events.map(({ id }) => id).toSorted()).toEqual(stored.toSorted())
  })
})

test('when a follower is killed, no append fails', async () => {
  const store = opened(nodes().url)
  const writer = new Writer(store)
  const leader = await nodes().leader()
  faulty = nodes().nodes.find((node) => node !== leader) as EventStoreServer
  await faulty.kill()
  const before = writer.stored.length
  await until('the writer goes on', () => writer.stored.length > before + 10, OUTAGE_MS_MAX)
  await writer.stop()
  expect(writer.failures).toEqual([])
})

describe('with a single seed for discovery', () => {
  test('the cluster stays in reach through its other nodes when the seed is killed', async () => {
    faulty = await nodes().leader()
    const store = opened(`esdb+discover://127.0.0.1:${faulty.port}?tls=false`)
    const writer = new Writer(store)
    await until('an event was stored', () => writer.stored.length > 0)
    await faulty.kill()
    await nodes().leader(faulty)
    const before = writer.stored.length
    await until('the writer goes on', () => writer.stored.length > before + 10, OUTAGE_MS_MAX)
    await writer.stop()
    expect(writer.failures).toEqual([])
  })

  test('a store opened while the seed is frozen is unavailable, and works once the seed is back', async () => {
    const leader = await nodes().leader()
    faulty = nodes().nodes.find((node) => node !== leader) as EventStoreServer
    faulty.freeze()
    const store = opened(`esdb+discover://127.0.0.1:${faulty.port}?tls=false`)
    await expect(store.append(streamOf(1), 'any', [anEvent()])).rejects.toBeInstanceOf(StoreUnavailable)
    faulty.thaw()
    const writer = new Writer(store)
    await until('an event was stored', () => writer.stored.length > 0, OUTAGE_MS_MAX)
    await writer.stop()
  })
})

test('a cluster of which no node answers is unavailable, and comes back by itself', async () => {
  const store = opened(nodes().url)
  const events = followed(store)
  await new PursuingAppender(store, systemClock).append(streamOf(1), 'any', [anEvent()])
  for (const node of nodes().nodes) await node.kill()
  await expect(store.append(streamOf(1), 'any', [anEvent()])).rejects.toThrow()
  await expect(store.append(streamOf(1), 'any', [anEvent()])).rejects.toBeInstanceOf(StoreUnavailable)
  await nodes().whole()
  const writer = new Writer(store)
  await until('an event was stored', () => writer.stored.length > 0, OUTAGE_MS_MAX)
  await writer.stop()
  await until('the follower has them all', () => events.length === writer.stored.length + 1, OUTAGE_MS_MAX)
})
