import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  completion,
  DONE,
  finishes,
  PROVIDER_KEY,
  PROVIDER_MODEL,
  says,
  streamed,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())

const received = () => gateway.provider.lastCall().body.toString()

/** Numbers, escapes, order, spaces and repeated names that would not survive parsing and printing. */
const DELICATE = (model: string) =>
  ` {"seed":12345678901234567890123,"temperature":1.0,"top_p":1E-2,"x":-0,"y":1e400,
  "messages" : [ {"role":"user","content":"caf\\u00e9 \\ud83d\\ude00 \\/ é"} ],\t"model":${model},"a":1,"a":2,
  "10":"later","2":"sooner","__proto__":{"model":"${'inner'}"},"metadata":{"model":"mine"} }\n`

describe('the request', () => {
  test('reaches the provider byte for byte, but for the name of the model', async () => {
    const answer = await gateway.chat(DELICATE('"svc\\/chat-def\\u0061ult"'))
    expect(answer.status).toBe(200)
    expect(received()).toBe(DELICATE(`"${PROVIDER_MODEL}"`))
  })

  test('of several megabytes reaches the provider byte for byte, too', async () => {
    const padded = (model: string) => DELICATE(model).replace('"10"', `"pad":"${'é\\"'.repeat(1_000_000)}","10"`)
    for (const headers of [{}, { 'idempotency-key': 'large' }, { 'idempotency-key': 'large' }]) {
      const answer = await gateway.chat(padded('"svc/chat-default"'), { headers })
      expect(answer.status).toBe(200)
      expect(received() === padded(`"${PROVIDER_MODEL}"`)).toBe(true)
    }
    const other = await gateway.chat(`${padded('"svc/chat-default"')} `, { headers: { 'idempotency-key': 'large' } })
    expect(other.status).toBe(409)
  })

  test.each([
    ['no stream_options', '"stream":true', '"stream":true', ',"stream_options":{"include_usage":true}'],
    ['null', '"stream_options":null,"stream":true', '"stream_options":{"include_usage":true},"stream":true', ''],
    ['none in it', '"stream":true,"stream_options":{ }', '"stream":true,"stream_options":{"include_usage":true }', ''],
    [
      'include_usage false',
      '"stream":true,"stream_options":{"a":1.0,"include_usage":false}',
      '"stream":true,"stream_options":{"a":1.0,"include_usage":true}',
      '',
    ],
    [
      'other options',
      '"stream":true,"stream_options":{"include_obfuscation":false}',
      '"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}',
      '',
    ],
  ])('of a stream asks for usage: %s', async (_, given, forwarded, atEnd) => {
    const body = (model: string, options: string, end: string) =>
      `{"model":"${model}",${options},"messages":[{"role":"user","content":"Hi"}],"n":1${end}}`
    gateway.provider.next(streamed(says('Hi.'), finishes(), usageBlock(), DONE))
    const answer = await gateway.chat(body('svc/chat-default', given, ''))
    expect(answer.status).toBe(200)
    expect(received()).toBe(body(PROVIDER_MODEL, forwarded, atEnd))
  })

  test('without stream keeps its stream_options', async () => {
    const options = '"stream":false,"stream_options":{"include_usage":false}'
    await gateway.chat(`{"model":"svc/chat-default",${options},"messages":[{"role":"user","content":"Hi"}]}`)
    expect(received()).toContain(options)
  })

  test("brings the provider our key and the call's id, and nothing of the caller", async () => {
    const answer = await gateway.chat(chatBody(), {
      headers: { cookie: 'a=b', 'x-forwarded-for': '203.0.113.1', 'user-agent': 'caller/1', 'x-custom': 'y' },
    })
    const { headers, path, body } = gateway.provider.lastCall()
    expect(path).toBe('/v1/chat/completions')
    expect(headers).toEqual({
      host: expect.any(String),
      connection: 'keep-alive',
      'content-type': 'application/json',
      'content-length': String(body.length),
      authorization: `Bearer ${PROVIDER_KEY}`,
      'x-request-id': answer.headers['x-request-id'],
    })
  })
})

describe('the answer', () => {
  const vendorHeaders = {
    server: 'vendor-one/2',
    'x-vendor-model': PROVIDER_MODEL,
    'x-request-id': 'req_of_the_vendor',
    'set-cookie': 'vendor=1',
    'x-ratelimit-limit-requests': '7',
    'openai-organization': 'us',
  }
  const ours = [
    'connection',
    'content-length',
    'content-type',
    'date',
    'x-credits-charged',
    'x-ratelimit-limit-requests',
    'x-ratelimit-limit-tokens',
    'x-ratelimit-remaining-requests',
    'x-ratelimit-remaining-tokens',
    'x-ratelimit-reset-requests',
    'x-ratelimit-reset-tokens',
    'x-request-id',
  ]

  test('is passed on byte for byte, but for the model, which reads as the alias', async () => {
    const body = (model: string) =>
      `{ "model" : ${model},"created":1.0,"choices":[{"index":0,"message":{"content":"caf\\u00e9 é"},"logprobs":-0}],
      "usage":{"prompt_tokens":1,"completion_tokens":1,"model":"kept"}, "m\\u006fdel":${model} }`
    gateway.provider.next(whole(body(`"${PROVIDER_MODEL}"`)))
    const answer = await gateway.chat(chatBody())
    expect(answer.text).toBe(body('"svc/chat-default"'))
  })

  test("has none of the provider's headers, and its own in their place", async () => {
    gateway.provider.next(whole(completion(), { headers: vendorHeaders }))
    const answer = await gateway.chat(chatBody())
    expect(Object.keys(answer.headers).sort()).toEqual(ours)
    expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/vendor/i)
    expect(answer.headers['x-ratelimit-limit-requests']).not.toBe('7')
  })

  test('names the alias that was asked for on every chunk of a stream', async () => {
    gateway.provider.next(streamed(says('Good '), says('day.'), finishes(), usageBlock(), DONE))
    const answer = await gateway.chat(chatBody({ model: 'svc/chat-cheap', stream: true }))
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    const cost = ': x-credits-charged 1.25\n\n'
    const script = `${says('Good ')}${says('day.')}${cost}${finishes()}${usageBlock()}${DONE}`
    expect(answer.text).toBe(script.replaceAll(PROVIDER_MODEL, 'svc/chat-cheap'))
    expect(Object.keys(answer.headers).sort()).toEqual(
      [
        ...ours.filter((name) => !/^(content-length|x-credits-charged)$/.test(name)),
        'cache-control',
        'transfer-encoding',
      ].sort(),
    )
  })

  test.each([400, 413, 415, 422])(
    "passes on the provider's %i in the envelope, without the names of provider and model, and costs nothing",
    async (status) => {
      const message = `${PROVIDER_MODEL.toUpperCase()} of Vendor-One says: temperature is too high for ${PROVIDER_MODEL}, see http://127.0.0.1/errors`
      gateway.provider.next(
        whole({ error: { message, type: 'vendor_error', param: 'x' } }, { status, headers: vendorHeaders }),
      )
      const answer = await gateway.chat(chatBody())
      expect(answer.status).toBe(status)
      expect(answer.json).toEqual({
        error: {
          message: expect.stringMatching(/temperature is too high/),
          type: 'invalid_request_error',
          code: 'INVALID_REQUEST',
          param: 'x',
        },
      })
      expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/vendor|127\.0/i)
      const ended = await gateway.ending(String(answer.headers['x-request-id']))
      expect(ended).toMatchObject({ type: 'CallFailed', data: { reason: `provider_${status}` } })
    },
  )

  test.each([
    ['no JSON', 'vendor-one is unwell'],
    ['another shape', '{"detail":[{"msg":"vendor-one"}]}'],
    ['a message that is no text', '{"error":{"message":{"vendor-one":1}}}'],
    ['nothing', ''],
  ])('a refusal of the provider with %s is reported in general words', async (_, body) => {
    gateway.provider.next(whole(body, { status: 400 }))
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', code: 'INVALID_REQUEST' })
    expect(answer.text).not.toMatch(/vendor/i)
  })
})
