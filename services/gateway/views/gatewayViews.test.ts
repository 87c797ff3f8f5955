import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { TypedEventStore } from '../../../platform/eventStore/port.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { hashRawKey } from '../../../platform/secrets/rawKeys.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { dailyTokens } from '../../../projections/dailyTokens/projection.ts'
import { readCheckpoint } from '../../../projections/runner/checkpoints.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { rebuildProjection } from '../../../projections/runner/rebuild.ts'
import { failed } from '../../../test/support/events/ledgerEvents.ts'
import { type GatewayHarness, startGatewayHarness } from '../../../test/support/harness/gatewayHarness.ts'
import { until } from '../../../test/support/time/until.ts'
import { openViews } from './gatewayViews.ts'

let harness: GatewayHarness

/** Without a projector: its read models have what a test builds. */
let lagging: GatewayHarness

beforeAll(async () => {
  harness = await startGatewayHarness({ credits: '10' })
  lagging = await startGatewayHarness({ projector: false })
})
afterAll(async () => {
  await harness.close()
  await lagging.close()
})

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
    expect(views.prices.priceAt(companyId, 'svc/chat-default', new Date(clock.now()).toISOString())).not.toBeNull()
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

  test('a key is not known before the hard cap that its company got first, even if a subscription breaks', async () => {
    const { clock, log, engines } = harness.runtime
    let isBroken = false
    const brittle: TypedEventStore = {
      ...engines.store,
      subscribe: async function* (options) {
        for await (const batch of engines.store.subscribe(options)) {
          if (isBroken && options.categories?.includes('company' as never) && batch.events.length > 0) {
            isBroken = false
            throw new Error('the subscription broke')
          }
          yield batch
        }
      },
    }
    const views = await openViews({ ...engines, store: brittle, clock, log })
    isBroken = true
    const companyId = await harness.registerCompany()
    await harness.setHardCap(companyId, true)
    const { raw } = await harness.mintKey(companyId)
    await until('the key is known', () => views.keys.find(hashRawKey(raw), clock.now()) !== null)
    expect(views.companies.hasHardCap(companyId)).toBe(true)
    await views.stop()
  })

  test('an event that the feed delivers twice under one id counts once', async () => {
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

  describe('seeded from read models that lag', () => {
    let day: string
    let companyId: string
    beforeEach(async () => {
      day = isoTime(lagging.runtime.clock.now()).slice(0, 10)
      companyId = await lagging.registerCompany({ credits: '1' })
    })

    const leave = () => {
      const { ledger } = lagging.runtime.engines
      const failure = failed(companyId, { tokensAbandoned: 5, finishedAt: `${day}T00:00:00.000Z` })
      return ledger.book(ledger.draftOf(failure), 'test', { kind: 'system', name: 'test' })
    }
    const rebuild = (projection: typeof creditBalances | typeof dailyTokens) => {
      const { clock, engines } = lagging.runtime
      const { database, store, feed } = engines
      const partitions = feed.partitionsOf(['ledger'])
      return rebuildProjection({ projection, database, source: store, partitions, ...feed, clock, ids: systemIds })
    }

    test.each([
      ['balances', creditBalances],
      ['daily tokens', dailyTokens],
    ])('count every event once if the read model of %s is ahead of the other', async (_, projection) => {
      const { clock, log, engines } = lagging.runtime
      await leave()
      await rebuild(projection)
      await lagging.grant(companyId, '2')
      await leave()
      const views = await openViews({ ...engines, clock, log })
      expect(views.balances.balanceMicros(companyId)).toBe(3_000_000n)
      expect(views.dailyTokens.tokensOf(companyId, day).abandoned).toBe(10)
      await lagging.grant(companyId, '4')
      await leave()
      await until('the newest events count', () => views.balances.balanceMicros(companyId) === 7_000_000n)
      await until('the newest tokens count', () => views.dailyTokens.tokensOf(companyId, day).abandoned === 15)
      await views.stop()
    })

    test('read no rows of another version, whose columns may differ, but all events instead', async () => {
      const { clock, log, engines } = lagging.runtime
      const { database } = engines
      await rebuild(creditBalances)
      await database.query('update read_models.checkpoints set version = version + 1 where projection = $1', [
        creditBalances.name,
      ])
      await database.query('alter table read_models.credit_balances drop column balance_micros')
      const views = await openViews({ ...engines, clock, log })
      expect(views.balances.balanceMicros(companyId)).toBe(1_000_000n)
      await views.stop()
    })

    test('count tokens from the start on if their read model is too far behind to wait for it', async () => {
      const { clock, log, engines } = lagging.runtime
      await rebuild(dailyTokens)
      await leave()
      await rebuild(creditBalances)
      await leave()
      const behind = (await readCheckpoint(engines.database, dailyTokens.name))?.positions
      const far = Object.values(behind ?? {})
      const eventsAfter = async (position: Position) => (far.includes(position) ? 300_000 : 1)
      const views = await openViews({ ...engines, store: { ...engines.store, eventsAfter }, clock, log })
      expect(views.balances.balanceMicros(companyId)).toBe(1_000_000n)
      expect(views.dailyTokens.tokensOf(companyId, day).abandoned).toBe(5)
      await views.stop()
    })
  })
})
