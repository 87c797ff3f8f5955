import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Category } from '../../contracts/streams.ts'
import { PostgresStoreHarness } from '../../test/support/databases/postgresStore.ts'
import { impatientClock } from '../../test/support/databases/readModels.ts'
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

test('the partitions of the feed are those of the topics of its categories', () => {
  const feed = openFeed()
  expect(feed.partitionsOf(['pricing', 'ledger'])).toEqual([
    'pricing/0',
    'ledger/0',
    'ledger/1',
    'ledger/2',
    'ledger/3',
  ])
  expect(feed.partitionOf('ledger-a')).toBe('ledger/2')
  expect(() => feed.partitionsOf(['comet' as Category])).toThrow('category comet has no topic')
  expect(() => feed.partitionOf('comet-1')).toThrow('comet-1 has no topic')
})
