import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../capabilities/providers/answerReceiver.ts'
import type { Provider } from '../../capabilities/providers/providersFile.ts'
import { type Answer, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { completion, type Script, stalled, whole } from '../support/parties/scriptedProvider.ts'

let gateway: GatewayHarness

beforeAll(async () => {
  gateway = await startGatewayHarness()
})
afterAll(() => gateway.close())

/** The message to the caller if the call failed after a provider had begun to answer. */
const WORDS: Readonly<Record<string, RegExp>> = {
  provider_cut: /broke off before it was complete.*costs nothing/,
  provider_error: /reported an error before its answer was complete.*costs nothing/,
  no_usage: /without the usage.*costs nothing/,
}

/** 503 in our own words, nothing of the provider's, no charge, and the failure on record with its reason. */
async function expectUnavailable(
  answer: Answer,
  reason: string,
  retryAfter: string,
  from: GatewayHarness = gateway,
): Promise<void> {
  expect(answer.status).toBe(503)
  expect(answer.json.error).toEqual({
    message: expect.stringMatching(WORDS[reason] ?? /^No provider of this model answered/),
    type: 'api_error',
    code: 'LLM_GATEWAY_UNAVAILABLE',
  })
  expect(answer.headers['retry-after']).toBe(retryAfter)
  expect(answer.headers['x-credits-charged']).toBeUndefined()
  expect(JSON.stringify([answer.headers, answer.text])).not.toMatch(/vendor/i)
  expect(await from.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason } })
  expect(await from.eventsOf(callIdOf(answer))).toHaveLength(1)
}

describe('a failure of the provider is 503 to the caller', () => {
  test.each([301, 401, 402, 403, 404, 408, 409, 429, 500, 502, 503, 529])('status %i', async (status) => {
    const body = { error: { message: 'vendor-one: your key vendor-secret-key is over its quota' } }
    gateway.provider.next(whole(body, { status, headers: { location: 'http://vendor/' } }))
    await expectUnavailable(await gateway.chat(chatBody()), `provider_${status}`, '5')
  })

  test.each([
    ['30', '30'],
    ['0.5', '5'],
    ['90000', '5'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', '5'],
    ['-1', '5'],
  ])('retry-after %s becomes %s', async (given, expected) => {
    gateway.provider.next(whole({}, { status: 429, headers: { 'retry-after': given } }))
    await expectUnavailable(await gateway.chat(chatBody()), 'provider_429', expected)
  })

  const cutShort: Script = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
    response.write('{"model":', () => response.destroy())
  }
  const silentInside: Script = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"model":')
  }
  test.each<[string, string, Script]>([
    ['a connection that breaks', 'provider_unreachable', (response) => void response.destroy()],
    ['an answer that breaks off', 'provider_cut', cutShort],
    ['an error with status 200', 'provider_error', whole({ error: { message: 'vendor-one is down' } })],
    ['an error beside usage', 'provider_error', whole(completion({ error: 'vendor-one is down' }))],
    ['an answer without usage', 'no_usage', whole(completion({ usage: undefined }))],
    ['usage that is null', 'no_usage', whole(completion({ usage: null }))],
    ['usage that is half a token', 'no_usage', whole(completion({ usage: { prompt_tokens: 0.5 } }))],
    ['usage beyond any number', 'no_usage', whole(completion({ usage: { prompt_tokens: 1e16 } }))],
    ['no JSON', 'no_usage', whole('<html>vendor-one</html>', { headers: { 'content-type': 'text/html' } })],
    ['an array', 'no_usage', whole('[]')],
    ['nothing', 'no_usage', whole('')],
  ])('%s', async (_, reason, script) => {
    gateway.provider.next(script)
    await expectUnavailable(await gateway.chat(chatBody()), reason, '5')
  })

  // Each on a gateway of its own: on a busy machine no other call would be answered within such a limit.
  test.each<[string, string, Partial<Provider>, Script]>([
    ['no answer at all', 'provider_unreachable', { firstByteTimeoutMs: 300 }, stalled()],
    ['an answer that comes to a halt', 'provider_cut', { idleTimeoutMs: 300 }, silentInside],
  ])('%s', async (_, reason, provider, script) => {
    const hasty = await startGatewayHarness({ provider, projector: false })
    hasty.provider.next(script)
    await expectUnavailable(await hasty.chat(chatBody()), reason, '5', hasty)
    await hasty.close()
  })

  test('a provider that refuses connections', async () => {
    const alone = await startGatewayHarness({ provider: { baseUrl: 'http://127.0.0.1:1/v1' }, projector: false })
    const answer = await alone.chat(chatBody())
    expect(answer.status).toBe(503)
    expect(await alone.ending(callIdOf(answer))).toMatchObject({
      type: 'CallFailed',
      data: { reason: 'provider_unreachable' },
    })
    await alone.close()
  })
})

test('an answer over the size limit is 502, is not retried, and is recorded as too large', async () => {
  gateway.provider.next(whole(Buffer.alloc(PROVIDER_ANSWER_BYTES_MAX + 1, 'x')))
  const answer = await gateway.chat(chatBody())
  expect(answer.status).toBe(502)
  expect(answer.json.error).toEqual({
    message: expect.stringMatching(/larger than the gateway accepts.*costs nothing/),
    type: 'api_error',
    code: 'LLM_ANSWER_TOO_LARGE',
  })
  expect(answer.headers).toMatchObject({ 'x-should-retry': 'false' })
  expect(answer.headers).not.toHaveProperty('retry-after')
  const reason = 'provider_too_large'
  expect(await gateway.ending(callIdOf(answer))).toMatchObject({ type: 'CallFailed', data: { reason } })
})

test('failed calls leave the balance unchanged, and the next call is answered and charged', async () => {
  const answer = await gateway.chat(chatBody())
  expect(answer.status).toBe(200)
  const usage = await gateway.call('/llm/v1/usage')
  expect(usage.json.balance.credits).toBe(998.75)
})

test('a JSON answer of another content type is still an answer', async () => {
  gateway.provider.next(whole(completion(), { headers: { 'content-type': 'text/plain' } }))
  const answer = await gateway.chat(chatBody())
  expect(answer.status).toBe(200)
  expect(answer.json.model).toBe('svc/chat-default')
})
