import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

const HELLO = [{ role: 'user', content: 'How are you today?' }]
const ask = (fields: object, path = '/v1/messages') =>
  call(sandbox.url, path, { body: { model: 'm', max_tokens: 1_000, messages: HELLO, ...fields } })
const eventsIn = (text: string) =>
  [...text.matchAll(/event: (\S+)\ndata: (.*)\n\n/g)].map(([, name, data]) => {
    const payload = JSON.parse(data ?? '{}')
    expect(payload.type).toBe(name)
    return payload
  })

test('a text, with its usage', async () => {
  const { status, json } = await ask({ system: [{ type: 'text', text: 'Be kind.' }] })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    ...{ type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
    content: [{ type: 'text', text: expect.stringMatching(/4 words.*How are you today/) }],
    usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
  })
})

test('a stream has the same answer, and its output is counted at the end', async () => {
  const { json } = await ask({})
  const events = eventsIn((await ask({ stream: true })).text)
  const text = events.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta.text)
  expect(text.join('')).toBe(json.content[0].text)
  const [start] = events
  expect(start.message.usage).toMatchObject({ input_tokens: json.usage.input_tokens, output_tokens: 1 })
  expect(events.at(-2)).toMatchObject({
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: json.usage.output_tokens },
  })
  expect(events.at(-1)).toEqual({ type: 'message_stop' })
})

test('an answer that is cut says so', async () => {
  expect((await ask({ max_tokens: 5 })).json.stop_reason).toBe('max_tokens')
})

test('a tool that tool_choice forces is called, with an input that fits its schema', async () => {
  const schema = { type: 'object', properties: { on: { type: 'string', format: 'date' } }, required: ['on'] }
  const forced = { tools: [{ name: 'book', input_schema: schema }], tool_choice: { type: 'tool', name: 'book' } }
  const { json } = await ask(forced)
  const use = { type: 'tool_use', name: 'book', input: { on: '2026-01-01' } }
  expect(json).toMatchObject({ stop_reason: 'tool_use', content: [use] })
  const deltas = eventsIn((await ask({ ...forced, stream: true })).text).filter(({ delta }) => delta?.partial_json)
  expect(JSON.parse(deltas.map(({ delta }) => delta.partial_json).join(''))).toEqual(use.input)
  expect((await ask({ ...forced, tool_choice: { type: 'any' } })).json.content[0].name).toBe('book')
  expect((await ask({ ...forced, tool_choice: { type: 'auto' } })).json.content[0].type).toBe('text')
})

test('a JSON schema is filled', async () => {
  const schema = { type: 'object', properties: { count: { type: 'integer', default: 3 } }, required: ['count'] }
  const { json } = await ask({ output_config: { format: { type: 'json_schema', schema } } })
  expect(JSON.parse(json.content[0].text)).toEqual({ count: 3 })
})

test('input tokens are counted as a call would count them', async () => {
  const { json } = await ask({ max_tokens: undefined }, '/v1/messages/count_tokens')
  expect(json).toEqual({ input_tokens: (await ask({})).json.usage.input_tokens })
})

test.each([{ messages: [] }, { max_tokens: undefined }, { messages: [{ role: 'user' }] }])(
  '%j is refused',
  async (fields) => {
    const { status, json } = await ask(fields)
    expect(status).toBe(400)
    expect(json).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringMatching(/^sandbox: /) },
    })
  },
)
