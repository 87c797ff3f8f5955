import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CHAT, chatBody, sending } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { until } from '../../support/time/until.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())

/** Whatever was sent: the gateway keeps running, no provider was called, and the ledger has only the grant. */
afterEach(async () => {
  expect((await gateway.call('/llm/v1/models')).status).toBe(200)
  expect(gateway.provider.calls).toHaveLength(0)
  expect((await gateway.ledgerOf(gateway.companyId)).map(({ type }) => type)).toEqual(['CreditsGranted'])
})

const messages = '"messages":[{"role":"user","content":"Hello"}]'
const model = '"model":"svc/chat-default"'

describe('400 invalid_request_error INVALID_REQUEST', () => {
  test.each([
    ['no body at all', '', /empty/],
    ['spaces', ' \n', /JSON/],
    ['malformed JSON', '{"model": "svc/chat-default", }', /line 1, column 31/],
    ['JSON that ends too early', `{${model},${messages}`, /ends too early/],
    ['two documents', `{${model},${messages}}{}`, /JSON/],
    ['an array', `[{${model},${messages}}]`, /object/],
    ['a string', '"svc/chat-default"', /object/],
    ['null', 'null', /object/],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from(`{${model},${messages},"x":"`), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      /UTF-8/,
    ],
    ['UTF-16', Buffer.from(`{${model},${messages}}`, 'utf16le'), /JSON|UTF-8/],
    ['a NUL', `{${model},${messages},"x":"\u0000"}`, /JSON/],
    ['a form', 'model=svc%2Fchat-default', /JSON/],
    ['no model', `{${messages}}`, /'model' is missing/],
    ['a model that is a number', `{"model":7,${messages}}`, /'model' must be a string/],
    ['a model that is null', `{"model":null,${messages}}`, /'model'/],
    ['a model that is an array', `{"model":["svc/chat-default"],${messages}}`, /'model'/],
    ['no messages', `{${model}}`, /'messages' is missing/],
    ['messages that are a string', `{${model},"messages":"Hello"}`, /'messages' must be an array/],
    ['no message', `{${model},"messages":[]}`, /'messages' must not be empty/],
    ['a message that is a string', `{${model},"messages":["Hello"]}`, /'messages\[0\]' must be an object/],
    ['a message without a role', `{${model},"messages":[{"content":"Hello"}]}`, /'messages\[0\].role'/],
    ['content that is a number', `{${model},"messages":[{"role":"user","content":1}]}`, /'messages\[0\].content'/],
    ['stream as a word', `{${model},${messages},"stream":"true"}`, /'stream' must be a boolean/],
    ['stream_options as a list', `{${model},${messages},"stream":true,"stream_options":[]}`, /'stream_options'/],
    ['n of nothing', `{${model},${messages},"n":0}`, /'n' must be/],
    ['n beyond every provider', `{${model},${messages},"n":1000}`, /'n' must be at most/],
    ['max_tokens below zero', `{${model},${messages},"max_tokens":-1}`, /'max_tokens'/],
    ['model twice', `{${model},${messages},"model":"svc/chat-premium"}`, /'model' occurs more than once/],
    ['model twice, once escaped', `{${model},${messages},"m\\u006fdel":"svc/chat-premium"}`, /'model' occurs more/],
    ['model in capitals beside it', `{${model},${messages},"MODEL":"svc/chat-premium"}`, /'model' is written/],
    ['stream twice', `{${model},${messages},"stream":true,"str\\u0065am":false}`, /'stream' occurs more/],
    [
      'include_usage twice',
      `{${model},${messages},"stream":true,"stream_options":{"include_usage":true,"include_us\\u0061ge":false}}`,
      /'stream_options.include_usage' occurs more/,
    ],
  ])('%s', async (_, body, message) => {
    const answer = await gateway.chat(body, { method: 'POST' })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toEqual({
      message: expect.stringMatching(message),
      type: 'invalid_request_error',
      code: 'INVALID_REQUEST',
    })
  })

  test.each([
    ['a million brackets', 1_000_000, /128 levels/],
    ['a million brackets that close', 1_000_000, /128 levels/, ']'],
    ['ten thousand brackets', 10_000, /not valid JSON/],
    ['ten thousand brackets that close', 10_000, /128 levels/, ']'],
  ])('%s', async (_, count, message, closing = '') => {
    const answer = await gateway.chat(`{${model},${messages},"x":${'['.repeat(count)}${closing.repeat(count)}}`)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({ message: expect.stringMatching(message), code: 'INVALID_REQUEST' })
  })

  test.each([
    ['from=yesterday', /'from'/],
    ['to=2026-13-01', /'to'/],
    ['from=2026-01-01T00:00:00', /'from' must be an ISO 8601 time with a zone/],
    ['from=2026-03-01&to=2026-02-01', /'from' must not be after 'to'/],
    ['from=2020-01-01', /days apart/],
    ['from=', /'from'/],
    ['group_by=week', /'group_by' must be one or two of alias, key, label, hour, day, month/],
    ['group_by=', /'group_by'/],
    ['group_by=alias%27;drop', /'group_by'/],
    ['from=%ff%fe', /'from'/],
  ])('GET /usage?%s', async (query, message) => {
    const answer = await gateway.call(`/llm/v1/usage?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toEqual({
      message: expect.stringMatching(message),
      type: 'invalid_request_error',
      code: 'INVALID_REQUEST',
    })
  })
})

describe('415 invalid_request_error', () => {
  test.each(['gzip', 'br', 'GZIP', 'gzip, identity'])('a body with content-encoding %s', async (encoding) => {
    const body = gzipSync(JSON.stringify(chatBody()))
    const answer = await gateway.chat(body, { headers: { 'content-encoding': encoding } })
    expect(answer.status).toBe(415)
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', code: 'INVALID_REQUEST' })
  })
})

describe('a caller that does not keep to HTTP', () => {
  test('leaves in the middle of its body', async () => {
    const { request, leave } = sending(gateway.url, CHAT, {
      method: 'POST',
      key: gateway.key.raw,
      headers: { 'content-length': 1_000 },
    })
    await new Promise<void>((resolve) => request.write('{"model":', () => resolve()))
    leave()
    await until('no request is in flight', async () => (await inFlight()) === 0)
  })

  test('sends bytes that are not a request', async () => {
    const { hostname, port } = new URL(gateway.url)
    const socket = net.connect(Number(port), hostname)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.resume()
    socket.write('\x16\x03\x01 not a request\r\n\r\n')
    await closed
  })
})

async function inFlight(): Promise<number> {
  const metrics = await gateway.runtime.metrics.getSingleMetric('tollgate_gateway_requests_in_flight')?.get()
  return metrics?.values[0]?.value ?? Number.NaN
}
