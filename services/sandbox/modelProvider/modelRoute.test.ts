import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

const CHAT = '/v1/chat/completions'
const COMPLETION = '/v1/completions'
const EMBEDDING = '/v1/embeddings'
const SPACE = ' '.repeat(70_000)
const ask = (path: string, body: string) => call(sandbox.url, path, { body })
const user = (content: unknown) => ({ model: 'm', messages: [{ role: 'user', content }] })

/** Without what is new in every answer. */
async function answerTo(path: string, body: string) {
  const { status, headers, text } = await ask(path, body)
  return { status, type: headers['content-type'], text: text.replace(/"(id|created)":("[^"]*"|\d+)/g, '') }
}

test.each([
  ['a chat', CHAT, user('Good day, how are you?')],
  ['a streamed chat', CHAT, { ...user('Good day'), n: 2, stream: true, stream_options: { include_usage: true } }],
  ['a completion', COMPLETION, { model: 'm', prompt: ['Once', 'upon a time'], n: 2 }],
  ['a streamed completion', COMPLETION, { model: 'm', prompt: 'Once upon a time', echo: true, stream: true }],
  ['an embedding', EMBEDDING, { model: 'm', input: ['Good day', 'Good evening'], dimensions: 8 }],
  ['a chat without messages', CHAT, { model: 'm', messages: [] }],
  ['an embedding of nothing', EMBEDDING, { model: 'm', input: [''] }],
])('%s in a large body, which is read on a thread, is answered as in a small one', async (_, path, body) => {
  const json = JSON.stringify(body)
  expect(await answerTo(path, json + SPACE)).toEqual(await answerTo(path, json))
})

test('a large body that is not JSON is refused with 400', async () => {
  expect(await ask(CHAT, `{${SPACE}`)).toMatchObject({ status: 400, text: expect.stringContaining('is not JSON') })
})

test.each([
  ['an input of lists', EMBEDDING, `{"model":"m","input":[${'[],'.repeat(150_000)}0]}`],
  ['a prompt of objects', COMPLETION, `{"model":"m","prompt":[${'{},'.repeat(150_000)}0]}`],
  ['tokens with a text among them', EMBEDDING, `{"model":"m","input":[[${'1,'.repeat(400_000)}"a"]]}`],
  ['messages that are numbers', CHAT, `{"model":"m","messages":[${'0,'.repeat(400_000)}0]}`],
  ['parts that are objects', CHAT, JSON.stringify(user([])).replace('[]', `[${'{},'.repeat(150_000)}{}]`)],
])('%s is refused with 400, however many there are', async (_, path, body) => {
  const { status, json } = await ask(path, body)
  expect([status, json.error.type]).toEqual([400, 'invalid_request_error'])
})

test('a prompt that is echoed too often is refused with 400', async () => {
  const { status, text } = await ask(
    COMPLETION,
    JSON.stringify({ model: 'm', prompt: 'a'.repeat(2e6), echo: true, n: 16 }),
  )
  expect([status, text]).toEqual([400, expect.stringContaining('more than 16777216 characters')])
})

test('many short texts are embedded in one answer', async () => {
  const { status, json } = await ask(
    EMBEDDING,
    JSON.stringify({ model: 'm', input: Array(2_048).fill('a'), dimensions: 16 }),
  )
  expect([status, json.data.length, json.data[2_047].embedding]).toEqual([200, 2_048, json.data[0].embedding])
})
