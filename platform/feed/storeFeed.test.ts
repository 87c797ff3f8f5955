import { expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { collect } from '../../test/support/events/events.ts'
import type { SubscribeOptions, TypedEventStore } from '../eventStore/port.ts'
import { storeFeed } from './storeFeed.ts'

/** Records the options of each subscription. */
function recordingStore() {
  const subscriptions: SubscribeOptions[] = []
  const store: TypedEventStore = Object.assign(new MemoryEventStore(), {
    subscribe: async function* (options: SubscribeOptions) {
      subscriptions.push(options)
      yield { events: [], position: '0000000000000007' as Position }
    },
  })
  return { subscriptions, feed: storeFeed(store) }
}

const { signal } = new AbortController()
const subscription = { consumer: 'a test', shared: true, categories: ['ledger'], signal } as const

test('the store is one partition, read from the position of the subscriber', async () => {
  const { subscriptions, feed } = recordingStore()
  const [partition = ''] = feed.partitionsOf(['ledger'])
  expect(feed.partitionsOf(['ledger', 'job'])).toEqual([partition])
  expect(feed.partitionOf('job-1')).toBe(partition)
  const after = '0000000000000003' as Position
  const reached = async (name: string) => (name === partition ? after : BEGINNING)
  expect(await collect(feed.subscribe({ ...subscription, reached }))).toEqual([
    { partition, after, events: [], position: '0000000000000007' },
  ])
  expect(subscriptions).toEqual([{ after, categories: ['ledger'], signal }])
})

test.each([true, false])('idsAreUnique is that of the store: %s', (idsAreUnique) => {
  expect(storeFeed(new MemoryEventStore({ idsAreUnique })).idsAreUnique).toBe(idsAreUnique)
})
