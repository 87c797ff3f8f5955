import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX_ALIASES } from '../../contracts/aliases.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import type { Feed } from '../../projections/runner/ports.ts'
import { startGateway } from '../../services/gateway/startGateway.ts'
import { call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { FOLLOWED_MS_MAX, type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { completion, whole } from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const clock = steppedClock(Date.UTC(2026, 2, 1, 12))
let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness({ clock })
})
afterAll(() => gateway.close())

const MODELS = '/llm/v1/models'
const statusOf = async (path: string, key: string) => (await gateway.call(path, { key })).status
const balanceOf = async (key: string) => (await gateway.call('/llm/v1/usage', { key })).json.balance.credits

/** A feed that can be paused. */
function holdable() {
  let open = Promise.resolve()
  let release = () => {}
  return {
    wrap: (feed: Feed): Feed => ({
      ...feed,
      subscribe: async function* (subscription) {
        for await (const batch of feed.subscribe(subscription)) {
          await open
          yield batch
        }
      },
    }),
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      open = promise
      release = resolve
    },
    release: () => release(),
  }
}

describe('a key', () => {
  test('that is revoked is refused within seconds', async () => {
    const key = await gateway.mintKey()
    expect(await statusOf(MODELS, key.raw)).toBe(200)
    await gateway.revoke(key.keyId)
    await until('the key is refused', async () => (await statusOf(MODELS, key.raw)) === 401, FOLLOWED_MS_MAX)
  })

  test('that is revoked does not end the calls it has in flight', async () => {
    const key = await gateway.mintKey()
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    const before = gateway.provider.calls.length
    gateway.provider.next(async (response, received) => {
      await answering
      await whole(completion())(response, received)
    })
    const inFlight = gateway.chat(chatBody(), { key: key.raw })
    await until('the call is at the provider', () => gateway.provider.calls.length > before)
    await gateway.revoke(key.keyId)
    await until('the key is refused', async () => (await statusOf(MODELS, key.raw)) === 401)
    answer()
    expect((await inFlight).status).toBe(200)
  })

  test('expires at its time, to the millisecond', async () => {
    const expiresAtMs = clock.now() + 60_000
    const key = await gateway.mintKey(gateway.companyId, { expiresAt: new Date(expiresAtMs).toISOString() })
    clock.set(expiresAtMs - 1)
    expect(await statusOf(MODELS, key.raw)).toBe(200)
    clock.set(expiresAtMs)
    expect(await statusOf(MODELS, key.raw)).toBe(401)
  })

  test('for some models lists and may call only those', async () => {
    const models = ['svc/chat-cheap', 'svc/embed-default']
    const key = await gateway.mintKey(gateway.companyId, { models })
    const { json } = await gateway.call(MODELS, { key: key.raw })
    expect(json.object).toBe('list')
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(models)
    expect((await gateway.chat(chatBody({ model: 'svc/chat-cheap' }), { key: key.raw })).status).toBe(200)
    expect((await gateway.chat(chatBody(), { key: key.raw })).status).toBe(403)
  })

  test('for all models lists every alias that has a provider, and no name of a provider', async () => {
    const { json, text } = await gateway.call(MODELS)
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual(
      SANDBOX_ALIASES.filter((alias) => alias !== 'svc/extract-fast'),
    )
    expect(text).not.toMatch(/vendor/i)
  })
})

describe('the balance', () => {
  test('counts finished calls at once, even while feed and projector are paused', async () => {
    const feed = holdable()
    const alone = await startGatewayHarness({ feed: feed.wrap, projector: false, credits: '3' })
    feed.hold()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await alone.chat(chatBody())).status)
    // 3 - 1.25 - 1.25 is above zero, one more is not.
    expect(statuses).toEqual([200, 200, 200, 402])
    feed.release()
    expect((await alone.chat(chatBody())).status).toBe(402)
    await alone.close()
  })

  test('counts a call once although the feed delivers it again', async () => {
    const companyId = await gateway.registerCompany({ credits: '100' })
    const key = await gateway.mintKey(companyId)
    await until('the credits are there', async () => (await balanceOf(key.raw)) === 100)
    await Promise.all(Array.from({ length: 10 }, () => gateway.chat(chatBody(), { key: key.raw })))
    expect(await balanceOf(key.raw)).toBe(87.5)
    // Events stored later have come through the feed after all of them.
    await gateway.grant(companyId, '1')
    await until('the grant is there', async () => (await balanceOf(key.raw)) === 88.5)
  })

  test('of a POSTPAID company may fall below zero without 402', async () => {
    const companyId = await gateway.registerCompany({ billingMode: 'POSTPAID' })
    const key = await gateway.mintKey(companyId)
    await until('the mode is known', async () => (await gateway.chat(chatBody(), { key: key.raw })).status === 200)
    expect((await gateway.chat(chatBody(), { key: key.raw })).status).toBe(200)
    expect(await balanceOf(key.raw)).toBe(-2.5)
  })
})

describe('a second gateway', () => {
  test('starts from the read models and the events after them, and follows the feed', async () => {
    const companyId = await gateway.registerCompany({ credits: '10' })
    const key = await gateway.mintKey(companyId)
    await until('the credits are there', async () => (await balanceOf(key.raw)) === 10)
    const revoked = await gateway.mintKey(companyId)
    await gateway.revoke(revoked.keyId)
    await until('the read model has it', async () => {
      const sql = "select 1 from read_models.api_keys where key_id = $1 and status = 'REVOKED'"
      return (await gateway.runtime.engines.database.query(sql, [revoked.keyId])).length === 1
    })
    const second = await startGateway({ ...gateway.runtime, metrics: createMetrics() }, {})
    const ask = (path: string, raw: string) => call(second.url ?? '', path, { key: raw })
    const balance = async () => (await ask('/llm/v1/usage', key.raw)).json.balance.credits
    expect(await balance()).toBe(10)
    expect((await ask(MODELS, revoked.raw)).status).toBe(401)
    const answer = await gateway.chat(chatBody(), { key: key.raw })
    expect(await gateway.eventsOf(callIdOf(answer), companyId)).toHaveLength(1)
    await until('the call of the first is known', async () => (await balance()) === 8.75)
    await second.drain(1_000)
  })
})
