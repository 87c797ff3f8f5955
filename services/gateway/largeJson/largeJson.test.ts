import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { readChatRequest } from '../wire/chatRequest.ts'
import { readCompletionRequest } from '../wire/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/embeddingRequest.ts'
import { LargeJson, SMALL_JSON_BYTES_MAX } from './largeJson.ts'

let largeJson: LargeJson
beforeAll(() => {
  largeJson = new LargeJson(systemClock)
})
afterAll(() => largeJson.close())

const LONG = 'é"\\'.repeat(SMALL_JSON_BYTES_MAX)
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each([
  ['a chat', '/chat/completions', readChatRequest, { model: 'a', messages: [{ role: 'user', content: LONG }] }],
  ['a streamed chat', '/chat/completions', readChatRequest, { stream: true, messages: [{ role: LONG }], model: 'a' }],
  ['a completion', '/completions', readCompletionRequest, { model: 'a', n: 2, best_of: 3, prompt: [LONG, LONG] }],
  ['embeddings', '/embeddings', readEmbeddingRequest, { model: 'a', input: LONG }],
  ['a chat without messages', '/chat/completions', readChatRequest, { model: 'a', user: LONG }],
])('%s is read as on the main thread', async (_, endpoint, read, value) => {
  const here = read(json(value))
  const there = await largeJson.readRequest(endpoint, json(value), 'company')
  if ('refused' in here || 'refused' in there) {
    expect(there).toEqual(here)
    return
  }
  const { forwardedAs, ...facts } = here
  expect(there).toMatchObject(facts)
  expect(there.forwardedAs('other').equals(forwardedAs('other'))).toBe(true)
})

test('bytes that are not JSON are refused with the place of the fault', async () => {
  const body = Buffer.from(`{"a":"${LONG.replaceAll(/["\\]/g, '')}",\n x}`)
  expect(await largeJson.readRequest('/chat/completions', body, 'company')).toEqual({
    refused: 'The body is not valid JSON: unexpected character at line 2, column 2.',
  })
})

test('the main thread hands the bytes over and does not keep a copy', async () => {
  const body = Buffer.concat([json({ model: 'a', user: LONG }), Buffer.from(' ')])
  const reading = largeJson.readRequest('/chat/completions', body, 'company')
  await reading
  expect(body.length).toBe(0)
})
