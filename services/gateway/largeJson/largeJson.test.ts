import { afterAll, beforeAll, expect, test } from 'vitest'
import { completionText } from '../../../capabilities/extraction/completion.ts'
import type { WireName } from '../../../capabilities/providers/wires.ts'
import { Redaction } from '../../../capabilities/redaction/redaction.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { disguiseOf, withModelAlias, withStreamModelAlias } from '../wire/answers/answerModel.ts'
import { readAnswer } from '../wire/answers/providerAnswer.ts'
import { readChatRequest } from '../wire/requests/chatRequest.ts'
import { readCompletionRequest } from '../wire/requests/completionRequest.ts'
import { readEmbeddingRequest } from '../wire/requests/embeddingRequest.ts'
import type { InferenceRequest, Refused } from '../wire/requests/inferenceRequest.ts'
import { createSseSplitter } from '../wire/streams/sseEvents.ts'
import { isNamedError } from '../wire/streams/sseOtherLines.ts'
import { readStreamChunk } from '../wire/streams/streamChunk.ts'
import { LargeJson, SMALL_JSON_BYTES_MAX } from './largeJson.ts'

let largeJson: LargeJson
beforeAll(() => {
  largeJson = new LargeJson(systemClock)
})
afterAll(() => largeJson.close())

const LONG = 'é"\\'.repeat(SMALL_JSON_BYTES_MAX)
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test.each<[string, WireName, (body: Buffer) => InferenceRequest | Refused, object]>([
  ['a chat', 'chat', readChatRequest, { model: 'a', messages: [{ role: 'user', content: LONG }] }],
  ['a streamed chat', 'chat', readChatRequest, { stream: true, messages: [{ role: LONG }], model: 'a' }],
  ['a completion', 'completions', readCompletionRequest, { model: 'a', n: 2, best_of: 3, prompt: [LONG, LONG] }],
  ['embeddings', 'embeddings', readEmbeddingRequest, { model: 'a', input: LONG }],
  ['a chat without messages', 'chat', readChatRequest, { model: 'a', user: LONG }],
])('%s is read as on the main thread', async (_, wire, read, value) => {
  const here = read(json(value))
  const there = await largeJson.readRequest(wire, json(value), 'company')
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
  expect(await largeJson.readRequest('chat', body, 'company')).toEqual({
    refused: 'The body is not valid JSON: unexpected character at line 2, column 2.',
  })
})

const disguise = disguiseOf('svc/alias', new Redaction({ secrets: ['a-secret-of-ours'], tables: [] }))
const usage = { prompt_tokens: 3, completion_tokens: 4 }

test.each([
  ['an answer', { model: 'large-1', choices: [{ message: { content: LONG } }], usage }],
  ['an answer with an error in it', { model: 'large-1', pad: LONG, choices: [{ error: 'a-secret-of-ours' }], usage }],
  ['an answer without usage', { model: 'large-1', pad: LONG }],
  ['an error', { error: { message: LONG } }],
])('%s is read and disguised as on the main thread', async (_, value) => {
  const { read, bytes } = await largeJson.readAnswer('chat', json(value), disguise, 'company')
  expect(read).toEqual(readAnswer(value))
  if (read.usage) expect(bytes.equals(withModelAlias(json(value), disguise))).toBe(true)
  const text = await largeJson.readAnswerText(json(value), 'company')
  expect(text).toEqual({ read, text: completionText(value) })
})

test('an answer that would exhaust the memory if it was parsed is not', async () => {
  const bytes = Buffer.from(`{"usage":${JSON.stringify(usage)},"x":[${'{"a":0},'.repeat(600_000)}0]}`)
  expect((await largeJson.readAnswer('chat', bytes, disguise, 'company')).read).toEqual({ usage: null, isError: false })
})

test.each([
  [
    'on one line',
    `data: ${JSON.stringify({ model: 'large-1', choices: [{ text: LONG, finish_reason: 'stop' }], usage })}\n\n`,
  ],
  [
    'on two lines, with a comment',
    `: large\ndata: {"model":"large-1",\r\ndata: "choices":[],"x":"${'y'.repeat(70_000)}"}\n\n`,
  ],
  ['that only its name shows to be an error', `event: error\ndata: {"message":"${'y'.repeat(70_000)}"}\n\n`],
  ['without data', `: ${'x'.repeat(70_000)}\n\n`],
])('an event %s is read and disguised as on the main thread', async (_, text) => {
  const [event] = createSseSplitter({ eventBytesMax: 10_000_000 }).push(Buffer.from(text))
  if (!event) throw new Error('there is no event')
  const there = await largeJson.readEvent('chat', { raw: Buffer.from(text) }, disguise, 'company')
  expect(there.chunk).toEqual(event.data && readStreamChunk(event.data, isNamedError(event)))
  expect(there.bytes.equals(withStreamModelAlias(event, disguise))).toBe(true)
})

test('the main thread hands the bytes over and does not keep a copy', async () => {
  const body = Buffer.concat([json({ model: 'a', user: LONG }), Buffer.from(' ')])
  const reading = largeJson.readRequest('chat', body, 'company')
  await reading
  expect(body.length).toBe(0)
})
