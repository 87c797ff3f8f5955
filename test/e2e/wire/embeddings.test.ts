import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusedBody, expectRefusedKeys } from '../../support/callers/inferenceRefusals.ts'
import type { HeldLedger } from '../../support/eventStores/heldLedger.ts'
import { callIdOf, sending } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { PROVIDER_MODEL, whole } from '../../support/parties/scriptedProvider.ts'
import { steppedClock } from '../../support/time/steppedClock.ts'

const EMBEDDINGS = '/llm/v1/embeddings'
let gateway: GatewayHarness
let held: HeldLedger | null = null

beforeAll(async () => {
  // In real time, a minute could begin between two calls of a test of limits.
  gateway = await startGatewayHarness({ clock: steppedClock(Date.UTC(2026, 2, 1, 12)) })
})
afterEach(() => held?.release())
afterAll(() => gateway.close())

const requestBody = (changes: object = {}) => ({ model: 'svc/embed-default', input: 'Hello', ...changes })
const embed = (body: object | string, key = gateway.key.raw) => gateway.call(EMBEDDINGS, { body, key })
const received = () => gateway.provider.lastCall().body.toString()

/** Numbers in unusual notation. */
const vectors = (model = PROVIDER_MODEL, vector = '[0.10, -1.0E-2,1]') =>
  `{"object":"list","data":[{"object":"embedding","index":0,"embedding":${vector}}],
  "model" : "${model}","usage":{"prompt_tokens":2000,"total_tokens":2000}}`

describe('embeddings', () => {
  test('are passed on byte for byte with the alias as their model, and charged by their input tokens', async () => {
    gateway.provider.next(whole(vectors()))
    const answer = await embed(requestBody())
    expect(answer.status).toBe(200)
    expect(answer.text).toBe(vectors('svc/embed-default'))
    expect(gateway.provider.lastCall().path).toBe('/v1/embeddings')
    expect(answer.headers['x-credits-charged']).toBe('1')
    expect(await gateway.eventsOf(callIdOf(answer))).toMatchObject([
      {
        type: 'CallCharged',
        data: {
          alias: 'svc/embed-default',
          endpoint: '/embeddings',
          streamed: false,
          tokensIn: 2_000,
          tokensOut: 0,
          amountMicros: '1000000',
        },
      },
    ])
  })

  test('in base64 keep their bytes', async () => {
    const packed = `"${Buffer.from(Float32Array.from([0.1, -0.2]).buffer).toString('base64')}"`
    gateway.provider.next(whole(vectors(PROVIDER_MODEL, packed)))
    const answer = await embed(requestBody({ encoding_format: 'base64' }))
    expect(JSON.parse(received()).encoding_format).toBe('base64')
    expect(answer.text).toBe(vectors('svc/embed-default', packed))
  })

  test.each([
    ['texts', ['One', 'Two']],
    ['tokens', [7592, 0, 31]],
    ['tokens of several texts', [[7592], [0, 31]]],
  ])('take %s', async (_, input) => {
    gateway.provider.next(whole(vectors()))
    expect((await embed(requestBody({ input }))).status).toBe(200)
    expect(JSON.parse(received())).toEqual({ model: PROVIDER_MODEL, input })
  })

  test('reach the provider byte for byte, but for the name of the model', async () => {
    const body = (model: string) =>
      ` {"user_id":12345678901234567890123,"scale":1.0,"z":1E-2,"x":-0,"y":1e400,
      "input"  : [ "caf\\u00e9 \\ud83d\\ude00 \\/ é",  "" ],\t"model":${model},"dimensions":2.56e2,"a":1,"a":2,
      "10":"later","2":"sooner","stream":false,"input_type":{"input":"x","model":"mine"} }\n`
    gateway.provider.next(whole(vectors()))
    expect((await embed(body('"svc\\/embed-def\\u0061ult"'))).status).toBe(200)
    expect(received()).toBe(body(`"${PROVIDER_MODEL}"`))
  })

  test.each([
    ['no input', { model: 'svc/embed-default' }, /'input' is missing/],
    ['an empty list', requestBody({ input: [] }), /'input' must not be empty/],
    ['a mixed list', requestBody({ input: [1, 'One'] }), /'input\[1\]' must be a token/],
    ['stream', requestBody({ stream: true }), /embeddings are not streamed/],
    [
      'model twice',
      '{"model":"svc/embed-default","input":"a","m\\u006fdel":"svc/chat-premium"}',
      /'model' occurs more/,
    ],
  ])('with %s are refused before any provider', async (_, body, message) => {
    await expectRefusedBody(gateway, embed, body, message)
  })

  test('need the scope inference:chat, a model of the allowlist and a balance', async () => {
    await expectRefusedKeys(gateway, embed, requestBody())
  })

  test('leave only after their charge is durable', async () => {
    held = await gateway.holdLedger()
    gateway.provider.next(whole(vectors()))
    const { answer, request } = sending(gateway.url, EMBEDDINGS, { key: gateway.key.raw, body: requestBody() })
    await held.anAppendWaits()
    expect(gateway.provider.lastCall().completed).toBe(true)
    await gateway.call('/llm/v1/models')
    expect(request.socket?.bytesRead).toBe(0)
    await held.release()
    const { statusCode, headers } = await answer
    expect(statusCode).toBe(200)
    expect(await gateway.eventsOf(String(headers['x-request-id']))).toHaveLength(1)
  })

  test('without a usage block are withheld and not charged', async () => {
    gateway.provider.next(whole({ object: 'list', data: [], model: PROVIDER_MODEL }))
    const answer = await embed(requestBody())
    expect(answer.status).toBe(503)
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason: 'no_usage' } })
  })

  test('count against the tokens per minute', async () => {
    const key = await gateway.mintKey(undefined, { tpm: 2_000 })
    gateway.provider.next(whole(vectors()))
    expect((await embed(requestBody(), key.raw)).status).toBe(200)
    expect((await embed(requestBody(), key.raw)).status).toBe(429)
  })
})
