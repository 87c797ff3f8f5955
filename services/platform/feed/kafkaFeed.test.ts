import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { streamName } from '../../../contracts/streams.ts'
import type { FeedBatch } from '../../../projections/runner/ports.ts'
import { anEvent } from '../../../test/support/events.ts'
import { PostgresStoreHarness } from '../../../test/support/postgresStore.ts'
import { systemClock } from '../clock/clock.ts'
import { openLog } from '../log/log.ts'
import { kafkaFeed } from './kafkaFeed.ts'

/** A port that nobody listens on. What needs a broker is tested in test/engines. */
const NOWHERE = ['127.0.0.1:1']
let harness: PostgresStoreHarness

beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
})
afterEach(() => harness.close())

function openFeed() {
  const { database, store } = harness
  const { log } = openLog({ level: 'silent', file: null })
  return kafkaFeed({ brokers: NOWHERE, database, store, clock: systemClock, log, upcast: (event) => event })
}

test('partitions are those of the topics of the categories', () => {
  const feed = openFeed()
  expect(feed.partitionsOf(['pricing', 'ledger'])).toEqual([
    'pricing/0',
    'ledger/0',
    'ledger/1',
    'ledger/2',
    'ledger/3',
  ])
  expect(feed.partitionOf('ledger-a')).toBe('ledger/2')
  expect(() => feed.partitionsOf(['comet'])).toThrow('category comet has no topic')
  expect(() => feed.partitionOf('comet-1')).toThrow('comet-1 belongs to no topic')
})

describe('without any Kafka', () => {
  test('who reads for itself is given what is stored, and later what has come since', async () => {
    const append = async (n: number) => harness.store.append(streamName('ledger', String(n)), 'none', [anEvent({ n })])
    for (let n = 0; n < 20; n++) await append(n)
    const end = new AbortController()
    const batches: FeedBatch[] = []
    const numbers = () => batches.flatMap(({ events }) => events.map(({ data }) => Number(data.n)))
    let isLater: Promise<unknown> | null = null
    const reached = async (): Promise<Position> => BEGINNING
    const subscription = { consumer: 'a test', shared: false, categories: ['ledger'], reached, signal: end.signal }
    for await (const batch of openFeed().subscribe(subscription)) {
      batches.push(batch)
      if (numbers().length === 20) isLater ??= append(20)
      if (numbers().length === 21) end.abort()
    }
    await isLater
    expect(numbers().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, n) => n))
  })
})
