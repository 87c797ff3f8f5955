import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock/clock.ts'
import { type Answer, CHAT, callIdOf, chatBody, sending } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  type Script,
  type ScriptedProvider,
  says,
  stalled,
  startScriptedProvider,
  streamed,
  streamedThenCut,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'
import { type SteppedClock, steppedClock } from '../../support/time/steppedClock.ts'
import { until } from '../../support/time/until.ts'

const START = Date.UTC(2026, 0, 1)
const COOLDOWN_MS = 60_000
const STREAM = chatBody({ stream: true })

let clock: SteppedClock
let gateway: GatewayHarness
let first: ScriptedProvider
let second: ScriptedProvider
let third: ScriptedProvider

beforeEach(async () => {
  const stepped = steppedClock(START)
  // Cool-downs go by the monotonic clock, which a test moves too.
  clock = { ...stepped, monotonicMs: () => systemClock.monotonicMs() + stepped.now() - START }
  ;[first, second, third] = await Promise.all([
    startScriptedProvider(),
    startScriptedProvider(),
    startScriptedProvider(),
  ])
  gateway = await startGatewayHarness({
    clock,
    env: { BREAKER_COOLDOWN_MS: String(COOLDOWN_MS) },
    providers: [
      { name: 'vendor-one', baseUrl: first.baseUrl, model: 'one-large', apiKey: 'key-one', firstByteTimeoutMs: 3_000 },
      { name: 'vendor-two', baseUrl: second.baseUrl, model: 'two-large', apiKey: 'key-two' },
      { name: 'vendor-three', baseUrl: third.baseUrl, model: 'three-large', apiKey: 'key-three' },
    ],
  })
})
afterEach(async () => {
  await gateway.close()
  for (const provider of [first, second, third]) await provider.close()
})

const callCounts = () => [first, second, third].map(({ calls }) => calls.length)

async function expectFailed(answer: Answer, reason: string): Promise<void> {
  expect(answer.status).toBe(503)
  expect(answer.json.error.code).toBe('LLM_GATEWAY_UNAVAILABLE')
  expect(answer.text).not.toMatch(/vendor|one-large|two-large|three-large/)
  await gateway.ending(callIdOf(answer))
  expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([{ type: 'CallFailed', data: { reason } }])
}

async function expectCharged(answer: { readonly headers: Answer['headers'] }): Promise<void> {
  await gateway.ending(callIdOf(answer))
  expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([{ type: 'CallCharged' }])
}

describe('the next provider is asked after', () => {
  const failures: [string, Script][] = [
    ...[401, 402, 403, 404, 408, 429, 500, 502, 503, 504, 529].map((status): [string, Script] => [
      `status ${status}`,
      whole({ error: { message: 'vendor-one is at fault' } }, { status }),
    ]),
    ['a broken connection', (response) => void response.destroy()],
    ['silence', stalled()],
  ]
  test('each failure that the caller did not cause: charged once, as one call', async () => {
    for (const [what, script] of failures) {
      first.next(script)
      const before = callCounts()
      const answer = await gateway.chat(chatBody())
      expect([what, answer.status]).toEqual([what, 200])
      expect(callCounts()).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 1, 0])
      await expectCharged(answer)
      // A successful call between two failures keeps the breaker closed.
      await gateway.chat(chatBody())
    }
  })

  test('a failure, with its own model name, its own key and the same request id', async () => {
    first.next(whole({}, { status: 500 }))
    second.next(whole({}, { status: 500 }))
    const answer = await gateway.chat(
      '{"model" : "svc/chat-default","messages":[{"role":"user"}],"seed":12345678901234567890}',
    )
    expect(answer.json.model).toBe('svc/chat-default')
    for (const [provider, model, key] of [
      [first, 'one-large', 'key-one'],
      [second, 'two-large', 'key-two'],
      [third, 'three-large', 'key-three'],
    ] as const) {
      const { body, headers } = provider.lastCall()
      expect(body.toString()).toBe(`{"model" : "${model}","messages":[{"role":"user"}],"seed":12345678901234567890}`)
      expect(headers).toMatchObject({ authorization: `Bearer ${key}`, 'x-request-id': callIdOf(answer) })
    }
  })

  test('a stream that did not start', async () => {
    first.next(whole({}, { status: 500 }))
    second.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const stream = await gateway.stream(STREAM)
    expect(await stream.ended).toBe('whole')
    expect(stream.text().endsWith(DONE)).toBe(true)
    await expectCharged(stream)
  })
})

describe('the next provider is not asked', () => {
  test('after 400, 413, 415 and 422, which are passed on', async () => {
    for (const [index, status] of [400, 413, 415, 422].entries()) {
      first.next(whole({ error: { message: 'vendor-one: one-large takes no images' } }, { status }))
      const answer = await gateway.chat(chatBody())
      expect(answer.status).toBe(status)
      expect(answer.json.error).toEqual({
        message: 'the provider: the model takes no images',
        type: 'invalid_request_error',
        code: 'INVALID_REQUEST',
      })
      expect(callCounts()).toEqual([index + 1, 0, 0])
      expect(await gateway.ending(callIdOf(answer))).toMatchObject({ data: { reason: `provider_${status}` } })
    }
  })

  test('once a stream has begun', async () => {
    first.next(streamedThenCut(says('Good ')))
    const answer = await gateway.chat(STREAM)
    expect(answer.text).toContain('LLM_GATEWAY_UNAVAILABLE')
    expect(callCounts()).toEqual([1, 0, 0])
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ data: { reason: 'provider_cut' } })
  })

  test('when the caller has disconnected: the current attempt is aborted', async () => {
    first.always(whole({}, { status: 500 }))
    second.always(stalled())
    const { leave } = sending(gateway.url, CHAT, { key: gateway.key.raw, body: chatBody() })
    await until('the second provider is asked', () => second.calls.length === 1)
    leave()
    await until('it is let go', () => second.lastCall().closed)
    const callId = String(second.lastCall().headers['x-request-id'])
    expect(await gateway.ending(callId)).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    expect(callCounts()).toEqual([1, 1, 0])
    expect(await gateway.eventsOf(callId)).toHaveLength(1)
  })
})

describe('when no provider answers', () => {
  test('the call is answered 503 with the longest retry-after and recorded as one failure', async () => {
    first.next(whole({}, { status: 429, headers: { 'retry-after': '7' } }))
    second.next(whole({}, { status: 429, headers: { 'retry-after': '30' } }))
    third.next(whole({}, { status: 503, headers: { 'retry-after': '2' } }))
    const answer = await gateway.chat(chatBody())
    expect(answer.headers['retry-after']).toBe('30')
    expect(callCounts()).toEqual([1, 1, 1])
    await expectFailed(answer, 'provider_503')
  })

  test('the next provider is asked without waiting for the body of a failure', async () => {
    const neverEnds: Script = (response) => void response.writeHead(500).write('{"error":')
    for (const provider of [first, second]) provider.next(neverEnds)
    third.next(whole(completion()))
    await expectCharged(await gateway.chat(chatBody()))
    expect([first.lastCall().closed, second.lastCall().closed]).toEqual([false, false])
    await until('they are let go', () => first.lastCall().closed && second.lastCall().closed)
  })
})

describe('a provider that fails five times in a row', () => {
  const breakers = async () => {
    const headers = { authorization: `Bearer ${INTERNAL_TOKEN}` }
    const text = (await gateway.call('/metrics', { key: null, headers })).text
    const lines = text.matchAll(/^tollgate_provider_breaker_state\{provider="vendor-(\w+)"\} (\d)$/gm)
    return Object.fromEntries([...lines].map(([, provider, state]) => [provider, Number(state)]))
  }

  test('is skipped, probed by one call, and used again once that succeeds', async () => {
    expect(await breakers()).toEqual({ one: 0, two: 0, three: 0 })
    first.always(whole({}, { status: 500 }))
    // Breakers belong to providers, not aliases.
    for (let n = 0; n < 8; n++) {
      const model = n % 2 === 0 ? 'svc/chat-default' : 'svc/chat-cheap'
      expect((await gateway.chat(chatBody({ model }))).status).toBe(200)
    }
    expect(callCounts()).toEqual([5, 8, 0])
    expect(await breakers()).toEqual({ one: 2, two: 0, three: 0 })

    clock.advance(COOLDOWN_MS)
    expect(await breakers()).toEqual({ one: 1, two: 0, three: 0 })
    await gateway.chat(chatBody())
    await gateway.chat(chatBody())
    expect(callCounts()).toEqual([6, 10, 0])

    clock.advance(COOLDOWN_MS)
    first.always(whole(completion()))
    await gateway.chat(chatBody())
    await gateway.chat(chatBody())
    expect(callCounts()).toEqual([8, 10, 0])
    expect(await breakers()).toEqual({ one: 0, two: 0, three: 0 })
  })

  test('is skipped; if all are, calls get 503 at once with the time until the next probe', async () => {
    for (const provider of [first, second, third]) provider.always((response) => void response.destroy())
    // Each is recorded before the clock moves: an append that seemed to take this long would delay calls.
    for (let n = 0; n < 5; n++) await gateway.ending(callIdOf(await gateway.chat(chatBody())))
    clock.advance(COOLDOWN_MS - 9_500)
    const answer = await gateway.chat(chatBody())
    expect(callCounts()).toEqual([5, 5, 5])
    expect(answer.headers['retry-after']).toBe('10')
    await expectFailed(answer, 'provider_resting')
  })
})
