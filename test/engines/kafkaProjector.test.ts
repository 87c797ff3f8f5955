import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Recorded } from '../../contracts/envelope.ts'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import { applyEvents } from '../../projections/projection.ts'
import { carrierOf } from '../../projections/runner/carrier.ts'
import { readCheckpoint } from '../../projections/runner/checkpoints.ts'
import { rebuildProjection } from '../../projections/runner/rebuild.ts'
import { runProjection } from '../../projections/runner/runner.ts'
import { usage } from '../../projections/usage/projection.ts'
import { inKeyOrder } from '../support/databases/readModels.ts'
import { sharedKafka } from '../support/engines/kafkaBroker.ts'
import { KafkaFeedHarness } from '../support/engines/kafkaFeedHarness.ts'
import { startFeedChild } from '../support/engines/startFeedChild.ts'
import { charged } from '../support/events/ledgerEvents.ts'
import { until } from '../support/time/until.ts'

const WAIT_MS = 40_000
const CARRIER = carrierOf('projector', [usage])
let harness: KafkaFeedHarness
let companies: string[]

beforeEach(async (context) => {
  harness = await KafkaFeedHarness.open(sharedKafka(context))
  companies = companiesInEveryPartition()
  onTestFinished(() => harness.close())
})

/** Three for each partition of the ledgers: by chance alone, one in eight dozens would leave a partition out. */
function companiesInEveryPartition(): string[] {
  return harness.feed.partitionsOf(['ledger']).flatMap((partition) => {
    const found: string[] = []
    while (found.length < 3) {
      const id = randomUUID()
      if (harness.feed.partitionOf(streamName('ledger', id)) === partition) found.push(id)
    }
    return found
  })
}

/** A projector of one model in this process. */
function project(feed = harness.feed) {
  const end = new AbortController()
  const advances: { partition: string; events: number }[] = []
  const troubles: unknown[] = []
  const ended = runProjection(
    {
      ...{ projection: usage, database: harness.database, feed, clock: systemClock, carrier: CARRIER },
      onAdvanced: (partition, _position, events) => advances.push({ partition, events }),
      onTrouble: (error) => troubles.push(error),
    },
    end.signal,
  )
  const stop = async () => {
    end.abort()
    await ended
  }
  onTestFinished(stop)
  return { advances, troubles, stop }
}

/** A call of each company. */
async function callAll(times = 1): Promise<void> {
  for (let n = 0; n < times; n++) {
    await Promise.all(companies.map((id) => harness.write(streamName('ledger', id), charged(id))))
  }
}

async function storedEvents() {
  const events: Recorded<LedgerEvent>[] = []
  for (let after = BEGINNING; ; ) {
    const page = await harness.store.readAll({ after, categories: ['ledger'], limit: 1_000 })
    if (page.position === after) return events
    events.push(...page.events)
    after = page.position
  }
}

async function caughtUp(): Promise<void> {
  const head = await harness.store.head()
  await until(
    'the model is at the head in every partition',
    async () => {
      const positions = Object.values((await readCheckpoint(harness.database, usage.name))?.positions ?? {})
      return positions.length > 0 && positions.every((position) => position >= head)
    },
    WAIT_MS,
  )
}

async function expectRight(): Promise<void> {
  await caughtUp()
  const rows = (await harness.database.query('select * from read_models.usage')) as never[]
  const folded = [...applyEvents(usage, await storedEvents()).values()]
  expect(inKeyOrder(usage, rows)).toEqual(inKeyOrder(usage, folded as never[]))
}

const partitionsAdvanced = ({ advances }: ReturnType<typeof project>) =>
  new Set(advances.filter(({ events }) => events > 0).map(({ partition }) => partition))

/** Rows are visible slightly before their runner reports them. */
const untilAllAdvanced = (projector: ReturnType<typeof project>) =>
  until('it has reported every partition', () => partitionsAdvanced(projector).size === 4, WAIT_MS)

describe('a read model through Kafka', () => {
  test('is the fold of the store, in all partitions up to its head', async () => {
    await harness.startRelay()
    await callAll(5)
    const projector = project()
    await callAll(5)
    await expectRight()
    await untilAllAdvanced(projector)
    expect(projector.troubles).toEqual([])
  })

  test('is shared by two projectors; when one is killed the other goes on with its partitions', async () => {
    await harness.startRelay()
    const mine = project()
    await callAll()
    await expectRight()
    const child = await startFeedChild({
      role: 'projector',
      databaseUrl: harness.database.url,
      addresses: harness.brokers.join(','),
    })
    // As long as this one gets all partitions, the other has none.
    await until(
      'the child has some of the partitions',
      async () => {
        mine.advances.length = 0
        await callAll()
        await caughtUp()
        return partitionsAdvanced(mine).size < 4
      },
      WAIT_MS,
    )
    const writing = callAll(20)
    await child.kill()
    await writing
    await expectRight()
    mine.advances.length = 0
    await callAll()
    await expectRight()
    await untilAllAdvanced(mine)
    expect(mine.troubles).toEqual([])
  })

  test('is rebuilt from the store and handed over to the topics, without a gap or a repeat', async () => {
    await harness.startRelay()
    const projector = project()
    await callAll(5)
    let isOver = false
    const writing = (async () => {
      while (!isOver) await callAll()
    })()
    for (let n = 0; n < 3; n++) {
      await rebuildProjection({
        clock: systemClock,
        ids: systemIds,
        projection: usage,
        database: harness.database,
        source: harness.store,
        partitions: harness.feed.partitionsOf(usage.categories),
        idsAreUnique: harness.feed.idsAreUnique,
      })
      await callAll()
    }
    isOver = true
    await writing
    await expectRight()
    expect(projector.troubles).toEqual([])
  })

  test('that was read from the store continues through Kafka at its position', async () => {
    const embedded = project(storeFeed(harness.store))
    await callAll(3)
    await caughtUp()
    await embedded.stop()
    const before = (await readCheckpoint(harness.database, usage.name))?.positions ?? {}
    expect(Object.keys(before)).toEqual(['all'])
    await callAll(1)
    await harness.startRelay()
    const projector = project()
    await callAll(3)
    await expectRight()
    const applied = projector.advances.reduce((sum, { events }) => sum + events, 0)
    expect(applied).toBe((await storedEvents()).filter(({ position }) => position > (before.all as Position)).length)
  })
})
