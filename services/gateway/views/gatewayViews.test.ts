import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Feed } from '../../../projections/runner/ports.ts'
import { type GatewayHarness, startGatewayHarness } from '../../../test/support/gatewayHarness.ts'
import { until } from '../../../test/support/until.ts'
import { hashRawKey } from '../../platform/secrets/rawKeys.ts'
import { openViews } from './gatewayViews.ts'

let harness: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ credits: '10' })
})
afterAll(() => harness.close())

describe('the views of a gateway', () => {
  test('opened views include everything stored before, with and without read models', async () => {
    const { clock, log, engines } = harness.runtime
    // The read models lag at will; the views are opened without waiting for them.
    const companyId = await harness.registerCompany({ credits: '7', billingMode: 'POSTPAID' })
    const views = await openViews({ ...engines, clock, log })
    expect(views.balances.balanceMicros(companyId)).toBe(7_000_000n)
    expect(views.balances.balanceMicros(harness.companyId)).toBe(10_000_000n)
    expect(views.companies.billingMode(companyId)).toBe('POSTPAID')
    expect(views.keys.find(hashRawKey(harness.key.raw), clock.now())).toMatchObject({ keyId: harness.key.keyId })
    expect(views.prices.priceAt('svc/chat-default', new Date(clock.now()).toISOString())).not.toBeNull()
    await views.stop()
  })

  test('views subscribe again from their position after a failure, and count nothing twice', async () => {
    const { clock, log, engines } = harness.runtime
    let breaks = 0
    const brittle: Feed = {
      ...engines.feed,
      subscribe: async function* (subscription) {
        for await (const batch of engines.feed.subscribe(subscription)) {
          yield batch
          if (batch.events.length > 0 && breaks++ < 2) throw new Error('the source broke')
        }
      },
    }
    const companyId = await harness.registerCompany({ credits: '1' })
    const views = await openViews({ ...engines, feed: brittle, clock, log })
    let micros = 1_000_000n
    for (const credits of [2n, 4n, 8n]) {
      await harness.grant(companyId, credits.toString())
      micros += credits * 1_000_000n
      // One at a time, so that each comes in a batch of its own and the source breaks behind it.
      await until('the grant counts', () => views.balances.balanceMicros(companyId) === micros)
    }
    expect(breaks).toBeGreaterThanOrEqual(2)
    await views.stop()
  })

  test('an event that a feed with repeated ids delivers twice counts once', async () => {
    const { clock, log, engines } = harness.runtime
    const stuttering: Feed = {
      ...engines.feed,
      idsAreUnique: false,
      subscribe: async function* (subscription) {
        for await (const batch of engines.feed.subscribe(subscription)) {
          yield { ...batch, events: [...batch.events, ...batch.events] }
        }
      },
    }
    const companyId = await harness.registerCompany({ credits: '1' })
    const views = await openViews({ ...engines, feed: stuttering, clock, log })
    await harness.grant(companyId, '2')
    await until('the grant counts', () => views.balances.balanceMicros(companyId) !== 1_000_000n)
    expect(views.balances.balanceMicros(companyId)).toBe(3_000_000n)
    await views.stop()
  })
})
