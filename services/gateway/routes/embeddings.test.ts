import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MemoryGateway,
  refusedWithoutKeyOrScope,
  startMemoryGateway,
} from '../../../test/support/memoryGateway.ts'
import { whole } from '../../../test/support/scriptedProvider.ts'

const BODY = { model: 'svc/embed-default', input: 'A sentence', encoding_format: null }
const usage = { prompt_tokens: 3, total_tokens: 3 }
const ANSWER = { object: 'list', model: 'm', data: [{ index: 0, embedding: [0.1] }], usage }

let gateway: MemoryGateway
let key: string
beforeAll(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey()
})
afterAll(() => gateway.close())

test('200: the answer in the form of the provider, with the alias and the credits charged', async () => {
  gateway.provider.next(whole(ANSWER))
  const { status, json, headers } = await gateway.call('/embeddings', { key, body: BODY })
  expect(status).toBe(200)
  expect(json.model).toBe(BODY.model)
  expect(Number(headers['x-credits-charged'])).toBeGreaterThan(0)
  expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': '1000', 'x-ratelimit-limit-tokens': '1000000' })
  expect(headers).not.toHaveProperty('x-powered-by')
})

test.each([
  [{ input: [] }, "'input'"],
  [{ stream: true }, "'stream'"],
])('400 for %j', async (changes, field) => {
  const { status, json } = await gateway.call('/embeddings', { key, body: { ...BODY, ...changes } })
  expect({ status, ...json.error }).toMatchObject({ status: 400, message: expect.stringContaining(field) })
})

test('402 without credits', async () => {
  const poor = gateway.mintKey({ credits: '0' })
  expect((await gateway.call('/embeddings', { key: poor, body: BODY })).json.error.code).toBe('INSUFFICIENT_CREDITS')
})

test('403 for a model that is not an alias', async () => {
  const { json } = await gateway.call('/embeddings', { key, body: { ...BODY, model: 'gpt-9' } })
  expect(json.error.code).toBe('LLM_MODEL_NOT_ALLOWED')
})

test('415 for a compressed body', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect((await gateway.call('/embeddings', { key, body: BODY, headers })).status).toBe(415)
})

test('503 with retry-after when the provider fails', async () => {
  gateway.provider.next(whole('no', { status: 500 }))
  const { status, headers } = await gateway.call('/embeddings', { key, body: BODY })
  expect(status).toBe(503)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
})

test('401 without a key, 403 without the scope inference:chat, 429 over the requests per minute', async () => {
  expect(await refusedWithoutKeyOrScope(gateway, '/embeddings', 'inference:chat', BODY)).toEqual([401, 403, 429])
})

test('404 for another method and for a path that differs', async () => {
  const answers = [
    await gateway.call('/embeddings', { key, method: 'GET' }),
    await gateway.call('/embeddings', { key, method: 'HEAD' }),
    await gateway.call('/embeddings/', { key, method: 'POST' }),
    await gateway.call('/EMBEDDINGS', { key, method: 'POST' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
})
