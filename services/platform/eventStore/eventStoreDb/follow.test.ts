import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { BEGINNING } from '../../../../contracts/position.ts'
import { until } from '../../../../test/support/until.ts'
import { systemClock } from '../../clock/clock.ts'
import { positionOf } from './commitPosition.ts'
import { type FollowedStore, follow } from './follow.ts'
import type { StoredPage } from './storeReader.ts'

test('follow subscribes even if every page contains a new event', async () => {
  let pages = 0
  let isLive = false
  const after = async (): Promise<StoredPage> => {
    pages++
    return {
      events: [{ position: positionOf(BigInt(pages)), revision: pages, recorded: null, appendId: null }],
      isFull: false,
    }
  }
  const subscribeToAll = () => {
    isLive = true
    return Object.assign(new PassThrough({ objectMode: true }), { unsubscribe: async () => {} })
  }
  const client = { events: { subscribeToAll }, retire: () => {} }
  const store = { connect: () => client, reader: { after }, clock: systemClock } as unknown as FollowedStore
  const end = new AbortController()
  const batches = follow(store, { after: BEGINNING, signal: end.signal })[Symbol.asyncIterator]()
  await batches.next()
  const next = batches.next()
  await until('it is live', () => isLive)
  expect(pages).toBe(1)
  end.abort()
  await next
})
