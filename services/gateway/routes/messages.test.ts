import { expect, test } from 'vitest'
import { messageObject, messagesStream } from '../../../test/support/events/messagesEvents.ts'
import { billedRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import {
  PROVIDER_KEY,
  PROVIDER_MODEL,
  streamed,
  streamedThenCut,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'

const used = useGateway({ alias: { allow: ['web_search', 'mcp'] } })
const body = { model: 'svc/chat-default', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] }
const call = (changes: object = {}, headers: Record<string, string> = {}, key: string | null = used.key) =>
  used.gateway.call('/messages', { key, headers, body: { ...body, ...changes } })
const lastCall = () => used.gateway.provider.lastCall()

test('200: the answer in the form of the provider, with the alias and the credits charged', async () => {
  used.gateway.provider.next(whole(messageObject()))
  const { status, json, headers } = await call()
  expect(status).toBe(200)
  expect(json).toEqual({ ...messageObject(), model: body.model })
  expect(Number(headers['x-credits-charged'])).toBeGreaterThan(0)
  expect(JSON.parse(lastCall().body.toString())).toEqual({ ...body, model: PROVIDER_MODEL })
  expect(lastCall().path).toBe('/v1/messages')
  const [charge] = used.gateway.eventsOf(String(headers['x-request-id']))
  const tokens = { tokensIn: 1_000, tokensCached: 200, tokensCacheWrite: 100, tokensOut: 500 }
  expect(charge).toMatchObject({ type: 'CallCharged', data: { endpoint: '/messages', ...tokens } })
})

test('200: the provider gets its key in x-api-key, and the headers of the API', async () => {
  used.gateway.provider.next(whole(messageObject()))
  const sent = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a-2025-01-01,b-2025-01-01', 'x-other': 'x' }
  expect((await call({}, sent)).status).toBe(200)
  const { headers } = lastCall()
  expect(headers).toMatchObject({
    'x-api-key': PROVIDER_KEY,
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'a-2025-01-01,b-2025-01-01',
  })
  for (const name of ['authorization', 'x-other']) expect(headers).not.toHaveProperty(name)
})

test('200 with the key in x-api-key; Authorization wins', async () => {
  used.gateway.provider.always(whole(messageObject()))
  expect((await call({}, { 'x-api-key': used.key }, null)).status).toBe(200)
  expect((await call({}, { 'x-api-key': 'wrong' })).status).toBe(200)
  expect((await call({}, { 'x-api-key': used.key }, 'wrong')).status).toBe(401)
  expect((await call({}, { 'x-api-key': used.key, authorization: 'Basic x' }, null)).status).toBe(401)
  const chat = { key: null, headers: { 'x-api-key': used.key }, body }
  expect((await used.gateway.call('/chat/completions', chat)).status).toBe(401)
})

test('200: a stream, with the alias as its model, and its cost before the first held event', async () => {
  const events = messagesStream('Good day.')
  used.gateway.provider.next(streamed(...events))
  const { text } = await call({ stream: true })
  const waits = text.indexOf('event: message_delta')
  expect(text.slice(0, waits)).toMatch(/\n\n: x-credits-charged [\d.]+\n\n$/)
  expect(text.replace(/: x-credits-charged .*\n\n/, '')).toBe(
    events.join('').replaceAll(PROVIDER_MODEL, 'svc/chat-default'),
  )
})

test('200: a stream that breaks off ends with an error event, and is not charged', async () => {
  used.gateway.provider.next(streamedThenCut(...messagesStream().slice(0, -2)))
  const { text, headers } = await call({ stream: true })
  const error = JSON.parse(/event: error\ndata: (.*)\n\n$/.exec(text)?.[1] ?? '{}')
  expect(error).toMatchObject({ type: 'error', error: { type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' } })
  expect(text).not.toContain('message_delta')
  expect(used.gateway.eventsOf(String(headers['x-request-id']))).toMatchObject([{ type: 'CallFailed' }])
})

test.each<[object, string]>([
  [{ messages: [] }, "'messages'"],
  [{ container: 'container_1' }, "'container'"],
  [{ tools: [{ type: 'code_execution_20250825', name: 'x' }] }, '"code_execution_20250825"'],
])('400 for %j, in the envelope of the API', async (changes, field) => {
  const { status, json } = await call(changes)
  expect(status).toBe(400)
  expect(json).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', code: 'INVALID_REQUEST', message: expect.stringContaining(field) },
  })
})

test('400 for a header that cannot be passed on', async () => {
  const { status, json } = await call({}, { 'anthropic-beta': 'caf\u00e9' })
  expect({ status, message: json.error.message }).toEqual({
    status: 400,
    message: expect.stringContaining("'anthropic-beta'"),
  })
})

test('the refusals of guard, body and provider have the envelope of the API', async () => {
  const answers = [
    await call({}, {}, null),
    await call({}, { 'content-encoding': 'gzip' }),
    await call({ model: 'gpt-9' }),
    await call({}, {}, used.gateway.mintKey({ rpm: 0 })),
    await call({}, {}, used.gateway.mintKey({ credits: '0' })),
  ]
  used.gateway.provider.next(whole({ type: 'error', error: { type: 'x', message: 'too long' } }, { status: 400 }))
  answers.push(await call())
  expect(answers.map(({ status }) => status)).toEqual([401, 415, 403, 429, 402, 400])
  for (const { json } of answers) {
    expect(json).toEqual({
      type: 'error',
      error: { type: expect.any(String), message: expect.any(String), code: json.error.code },
    })
  }
  expect(answers.at(-1)?.json.error.message).toBe('too long')
})

billedRouteCases(used, { method: 'POST', path: '/messages', scope: 'inference:chat', body })
