import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import type { FeedBatch } from '../../projections/runner/ports.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { impatientClock } from '../../test/support/databases/readModels.ts'
import { anEvent } from '../../test/support/events/events.ts'
import { systemIds } from '../ids/ids.ts'
import { openLog } from '../logger/logger.ts'
import { kafkaFeed } from './kafkaFeed.ts'

/** A closed port. Tests that need a broker are in test/engines. */
const NOWHERE = ['127.0.0.1:1']
let harness: PostgresStoreHarness

beforeEach(async () => {
  harness = await PostgresStoreHarness.open()
})
afterEach(() => harness.close())

function openFeed() {
  const { database, store } = harness
  const { log } = openLog({ level: 'silent', file: null })
  return kafkaFeed({
    brokers: NOWHERE,
    database,
    store,
    clock: impatientClock,
    ids: systemIds,
    log,
    upcast: (event) => event,
  })
}

// Slow because the Kafka library retries for seconds before it reports that no broker answers.
test('without any Kafka an unshared subscription yields what is stored, and later what is appended', async () => {
  const append = async (n: number) => harness.store.append(streamName('ledger', String(n)), 'none', [anEvent({ n })])
  for (let n = 0; n < 20; n++) await append(n)
  const end = new AbortController()
  const batches: FeedBatch[] = []
  const numbers = () => batches.flatMap(({ events }) => events.map(({ data }) => Number(data.n)))
  let isLater: Promise<unknown> | null = null
  const reached = async (): Promise<Position> => BEGINNING
  const categories = ['ledger'] as const
  const subscription = { consumer: 'a test', shared: false, categories, reached, signal: end.signal }
  for await (const batch of openFeed().subscribe(subscription)) {
    batches.push(batch)
    if (numbers().length === 20) isLater ??= append(20)
    if (numbers().length === 21) end.abort()
  }
  await isLater
  expect(numbers().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, n) => n))
})
