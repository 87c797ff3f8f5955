import { expect, test } from 'vitest'
import { keyRouteCases, useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { PROVIDER_KEY, PROVIDER_MODEL, whole } from '../../../test/support/parties/scriptedProvider.ts'

const used = useGateway()
const PATH = '/messages/count_tokens'
const body = { model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }
const count = (changes: object = {}, key: string = used.key) =>
  used.gateway.call(PATH, { key, body: { ...body, ...changes }, headers: { 'anthropic-version': '2023-06-01' } })

test('200: the count of the provider, free and without a balance, as one request', async () => {
  used.gateway.provider.next(whole('{"input_tokens": 14, "x":1.0}'))
  const { status, text, headers } = await count({}, used.gateway.mintKey({ credits: '0' }))
  expect({ status, text }).toEqual({ status: 200, text: '{"input_tokens": 14, "x":1.0}' })
  expect(headers).toMatchObject({ 'x-ratelimit-remaining-requests': '999', 'x-request-id': expect.any(String) })
  expect(headers).not.toHaveProperty('x-credits-charged')
  expect(used.gateway.eventsOf(String(headers['x-request-id']))).toEqual([])
  const { path, body: sent, headers: sentHeaders } = used.gateway.provider.lastCall()
  expect(path).toBe('/v1/messages/count_tokens')
  expect(JSON.parse(sent.toString())).toEqual({ ...body, model: PROVIDER_MODEL })
  expect(sentHeaders).toMatchObject({ 'x-api-key': PROVIDER_KEY, 'anthropic-version': '2023-06-01' })
})

test('200: a large body is counted too', async () => {
  used.gateway.provider.next(whole({ input_tokens: 50_000 }))
  expect((await count({ system: 'x'.repeat(100_000) })).json).toEqual({ input_tokens: 50_000 })
})

test.each<[object, number]>([
  [{ messages: [] }, 400],
  [{ tools: [{ type: 'web_search_20250305', name: 'x' }] }, 400],
  [{ model: 'gpt-9' }, 403],
])('%j is refused with %d in the envelope of the API', async (changes, status) => {
  const answer = await count(changes)
  expect(answer.status).toBe(status)
  expect(answer.json).toMatchObject({ type: 'error', error: { message: expect.any(String) } })
})

test('403 for a model that the key may not call', async () => {
  const key = used.gateway.mintKey({ models: ['svc/chat-cheap'] })
  expect((await count({}, key)).json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
})

test.each(['{}', 'x', '{"input_tokens":-1}'])('503 for %s as the answer of the provider', async (answer) => {
  used.gateway.provider.next(whole(answer))
  expect((await count()).status).toBe(503)
})

keyRouteCases(used, { method: 'POST', path: PATH, scope: 'inference:chat', body })
