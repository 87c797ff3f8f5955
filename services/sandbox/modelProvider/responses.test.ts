import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

const ask = (fields: object) => call(sandbox.url, '/v1/responses', { body: { model: 'm', input: 'Hello', ...fields } })
const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name, data] = /^event: (\S+)\ndata: (.*)$/.exec(event) ?? []
      const payload = JSON.parse(data ?? '{}')
      expect(payload.type).toBe(name)
      return payload
    })

test('a text, with its usage', async () => {
  const input = [{ role: 'user', content: [{ type: 'input_text', text: 'How are you today?' }] }]
  const { status, json } = await ask({ input, instructions: 'Be kind.' })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    ...{ object: 'response', status: 'completed', model: 'm', error: null },
    output: [
      { type: 'message', content: [{ type: 'output_text', text: expect.stringMatching(/4 words.*How are you/) }] },
    ],
  })
  expect(json.usage.total_tokens).toBe(json.usage.input_tokens + json.usage.output_tokens)
})

test('a stream has the same answer in numbered events', async () => {
  const { json } = await ask({})
  const events = eventsIn((await ask({ stream: true })).text)
  expect(events.map(({ sequence_number: n }) => n)).toEqual(events.map((_, n) => n))
  const text = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
  expect(text.join('')).toBe(json.output[0].content[0].text)
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: json.usage } })
})

test('an answer that is cut is incomplete', async () => {
  const { json } = await ask({ max_output_tokens: 5 })
  expect(json).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } })
  expect(eventsIn((await ask({ max_output_tokens: 5, stream: true })).text).at(-1).type).toBe('response.incomplete')
})

const tools = [
  { type: 'function', name: 'other', parameters: {} },
  {
    type: 'function',
    name: 'weather',
    parameters: {
      type: 'object',
      properties: { place: { type: 'string' }, unit: { enum: ['c', 'f'] }, days: { type: 'integer', minimum: 1 } },
      required: ['place', 'unit', 'days'],
    },
  },
]

test('a tool that tool_choice forces is called, with arguments that fit its schema', async () => {
  const forced = { input: 'How warm is Berlin?', tools, tool_choice: { type: 'function', name: 'weather' } }
  const [item] = (await ask(forced)).json.output
  expect(item).toMatchObject({ type: 'function_call', name: 'weather' })
  expect(JSON.parse(item.arguments)).toEqual({ place: 'How warm is Berlin?', unit: 'c', days: 1 })
  const events = eventsIn((await ask({ ...forced, stream: true })).text)
  const deltas = events.filter(({ type }) => type === 'response.function_call_arguments.delta')
  expect(deltas.map(({ delta }) => delta).join('')).toBe(item.arguments)
  expect((await ask({ tools, tool_choice: 'required' })).json.output[0].name).toBe('other')
  expect((await ask({ tools, tool_choice: 'auto' })).json.output[0].type).toBe('message')
})

test('a JSON schema is filled', async () => {
  const schema = { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] }
  const { json } = await ask({ text: { format: { type: 'json_schema', name: 'x', schema } } })
  expect(JSON.parse(json.output[0].content[0].text)).toEqual({ email: 'someone@example.com' })
})

test('an answer is as long and as slow as the message wishes', async () => {
  const long = (await ask({ input: 'sandbox:words=3000', stream: true })).text
  expect(eventsIn(long).at(-1).response.output[0].content[0].text).toMatch(/word-3000$/)
  const beganAt = performance.now()
  await ask({ input: 'sandbox:delay=50' })
  expect(performance.now() - beganAt).toBeGreaterThan(45)
})

test.each([{ input: [] }, { input: 3 }, { model: 1 }, { max_output_tokens: 0 }])('%j is refused', async (fields) => {
  expect((await ask(fields)).json.error).toMatchObject({ type: 'invalid_request_error' })
})
