import { once } from 'node:events'
import { connect } from 'node:net'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX } from '../../platform/http/limits/unidentifiedConnections.ts'
import { startBackendHarness } from '../support/harness/backendHarness.ts'
import { type Answer, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { DONE, finishes, says, streamed, streamedThenCut, usageBlock } from '../support/parties/scriptedProvider.ts'
import { steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

const MINUTE_MS = 60_000
const clock = steppedClock(Date.UTC(2026, 2, 1, 12))

/** Each test starts 12.5 seconds into a minute of its own. */
function nextMinute(): void {
  clock.set((Math.floor(clock.now() / MINUTE_MS) + 1) * MINUTE_MS + 12_500)
}

function expectRateLimited(answer: Answer): void {
  expect(answer.status).toBe(429)
  expect(answer.json.error).toEqual({ message: expect.any(String), type: 'rate_limit_error', code: null })
  expect(answer.headers['retry-after']).toBe('48')
  expect(answer.headers['x-request-id']).toBeDefined()
}

describe('429 by key', () => {
  let gateway: GatewayHarness
  beforeAll(async () => {
    gateway = await startGatewayHarness({ clock })
  })
  afterAll(() => gateway.close())

  async function freshKey(limits: { rpm?: number; tpm?: number }): Promise<string> {
    const key = await gateway.mintKey(gateway.companyId, limits)
    nextMinute()
    return key.raw
  }

  test('requests per minute: as many as the limit, then 429 until the minute is over', async () => {
    const key = await freshKey({ rpm: 3 })
    for (const remaining of ['2', '1', '0']) {
      const answer = await gateway.call('/llm/v1/models', { key })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit-requests': '3',
        'x-ratelimit-remaining-requests': remaining,
        'x-ratelimit-reset-requests': '48s',
      })
    }
    const refused = await gateway.chat(chatBody(), { key })
    expectRateLimited(refused)
    expect(refused.headers).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '48s',
    })
    nextMinute()
    expect((await gateway.chat(chatBody(), { key })).status).toBe(200)
  })

  test('a key at its limit does not limit another key of the same company', async () => {
    const key = await freshKey({ rpm: 1 })
    expect((await gateway.call('/llm/v1/models', { key })).status).toBe(200)
    expectRateLimited(await gateway.call('/llm/v1/models', { key }))
    expect((await gateway.call('/llm/v1/models')).status).toBe(200)
  })

  test('tokens per minute: refused once the tokens used have reached the limit, and not before', async () => {
    const key = await freshKey({ tpm: 3_000 })
    for (const remaining of ['1500', '0']) {
      const answer = await gateway.chat(chatBody(), { key })
      expect(answer.status).toBe(200)
      expect(answer.headers).toMatchObject({
        'x-ratelimit-limit-tokens': '3000',
        'x-ratelimit-remaining-tokens': remaining,
        'x-ratelimit-reset-tokens': '48s',
      })
    }
    const refused = await gateway.chat(chatBody(), { key })
    expectRateLimited(refused)
    expect(refused.headers['x-ratelimit-remaining-tokens']).toBe('0')
    expect((await gateway.call('/llm/v1/models', { key })).status).toBe(200)
    nextMinute()
    expect((await gateway.chat(chatBody(), { key })).status).toBe(200)
  })

  test('tokens of a stream count as well', async () => {
    const key = await freshKey({ tpm: 1_500 })
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(chatBody({ stream: true }), { key })
    expect(await stream.ended).toBe('whole')
    expectRateLimited(await gateway.chat(chatBody(), { key }))
  })

  test('a stream that fails counts what it delivered, by an estimate', async () => {
    const key = await freshKey({ tpm: 100 })
    gateway.provider.next(streamedThenCut(says('word'.repeat(100))))
    const stream = await gateway.stream(chatBody({ stream: true }), { key })
    await stream.ended
    await until('the estimate counts', async () => (await gateway.chat(chatBody(), { key })).status === 429)
  })
})

describe('429 by address', () => {
  async function withGateway(env: Record<string, string>, work: (gateway: GatewayHarness) => Promise<void>) {
    nextMinute()
    const gateway = await startGatewayHarness({ clock, env, projector: false })
    try {
      await work(gateway)
    } finally {
      await gateway.close()
    }
  }
  const from = (forwarded?: string) => ({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } })

  test('counts every caller of one address, with or without a key, on any route, and ignores forwarding headers', () =>
    withGateway({ IP_RPM: '3' }, async (gateway) => {
      expect((await call(gateway.url, '/llm/v1/nothing')).status).toBe(404)
      expect((await call(gateway.url, '/llm/v1/models', from('203.0.113.9'))).status).toBe(401)
      expect((await gateway.call('/llm/v1/models')).status).toBe(200)
      expectRateLimited(await gateway.call('/llm/v1/models', from('203.0.113.10')))
      expectRateLimited(await call(gateway.url, '/llm/v1/models'))
      nextMinute()
      expect((await gateway.call('/llm/v1/models')).status).toBe(200)
    }))

  /** Sends this many requests over a few connections and counts each status. */
  async function statuses(gateway: GatewayHarness, requests: number): Promise<Record<number, number>> {
    const dispatcher = new Agent({ connections: 20 })
    const headers = { authorization: `Bearer ${gateway.key.raw}` }
    const counts: Record<number, number> = {}
    const ask = async () => {
      const { statusCode, body } = await request(`${gateway.url}/llm/v1/models`, { headers, dispatcher })
      await body.dump()
      counts[statusCode] = (counts[statusCode] ?? 0) + 1
    }
    await Promise.all(Array.from({ length: requests }, ask))
    await dispatcher.close()
    return counts
  }

  test('IP_RPM=0 turns the limit off', () =>
    withGateway({ IP_RPM: '0' }, async (gateway) => {
      expect(await statuses(gateway, 650)).toEqual({ 200: 650 })
    }))

  test('without IP_RPM the limit is 600', () =>
    withGateway({ IP_RPM: '' }, async (gateway) => {
      expect(await statuses(gateway, 650)).toEqual({ 200: 600, 429: 50 })
    }))

  test('counts the addresses of one IPv6 network together, and the ports of one address', () =>
    withGateway({ IP_RPM: '2', TRUST_PROXY: '1' }, async (gateway) => {
      expect((await gateway.call('/llm/v1/models', from('2001:db8::1'))).status).toBe(200)
      expect((await gateway.call('/llm/v1/models', from('[2001:db8::2]:4001'))).status).toBe(200)
      expectRateLimited(await gateway.call('/llm/v1/models', from('2001:db8::3')))
      expect((await gateway.call('/llm/v1/models', from('2001:db8:0:1::1'))).status).toBe(200)
      expect((await gateway.call('/llm/v1/models', from('203.0.113.9:4001'))).status).toBe(200)
      expect((await gateway.call('/llm/v1/models', from('203.0.113.9:4002'))).status).toBe(200)
      expectRateLimited(await gateway.call('/llm/v1/models', from('203.0.113.9')))
    }))

  test('TRUST_PROXY=2 counts the address that the outer of two proxies saw, not what the caller put before it', () =>
    withGateway({ IP_RPM: '1', TRUST_PROXY: '2' }, async (gateway) => {
      const ask = async (forwarded?: string) => (await gateway.call('/llm/v1/models', from(forwarded))).status
      expect(await ask('203.0.113.1, 10.0.0.1')).toBe(200)
      expect(await ask('203.0.113.1, 10.0.0.2')).toBe(429)
      expect(await ask('198.51.100.7, 203.0.113.1, 10.0.0.1')).toBe(429)
      expect(await ask('203.0.113.2, 10.0.0.1')).toBe(200)
      // Too few entries: it did not pass both proxies, so the peer's address counts.
      expect(await ask('203.0.113.3')).toBe(200)
      expect(await ask('203.0.113.4')).toBe(429)
      expect(await ask()).toBe(429)
    }))
})

test('connections of trusted proxies without identity are not limited, neither of the gateway nor of the backend', async () => {
  const backend = await startBackendHarness({ env: { TRUST_PROXY: '1' } })
  for (const url of [backend.gatewayUrl, backend.url]) {
    const { hostname, port } = new URL(url)
    const held = Array.from({ length: UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX }, () => connect(Number(port), hostname))
    await Promise.all(held.map((socket) => once(socket, 'connect')))
    expect((await call(url, '/livez')).status).toBe(200)
    for (const socket of held) socket.destroy()
  }
  await backend.close()
})
