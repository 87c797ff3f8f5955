import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../test/support/harness/gatewayClient.ts'
import { startTestSandbox } from '../../../test/support/harness/sandbox.ts'

let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

const ask = (body: object | string) => call(sandbox.url, '/v1/chat/completions', { body })
const question = (content: unknown, changes: object = {}) => ({
  model: 'sandbox-chat-default',
  messages: [{ role: 'user', content }],
  ...changes,
})

async function chunksOf(body: object) {
  const { text, headers } = await ask({ ...body, stream: true })
  expect(headers['content-type']).toMatch(/^text\/event-stream/)
  const events = text.split('\n\n').filter((event) => event !== '')
  expect(events.at(-1)).toBe('data: [DONE]')
  return events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)))
}

describe('sandbox chat completions', () => {
  test('answers in the chat-completion format, names itself and quotes the question', async () => {
    const { status, json } = await ask(question('How are you today?'))
    expect(status).toBe(200)
    expect(json).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'sandbox-chat-default',
      system_fingerprint: 'tollgate-sandbox',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: expect.stringMatching(/sandbox, not a real model.*4 words.*How are you today/),
          },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: expect.any(Number),
        completion_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
      },
    })
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens)
  })

  test('streams the same text and usage as the whole answer', async () => {
    const whole = (await ask(question('Hello'))).json
    const chunks = await chunksOf(question('Hello', { stream_options: { include_usage: true } }))
    const text = chunks.flatMap(({ choices }) =>
      choices.map((choice: { delta: { content?: string } }) => choice.delta.content),
    )
    expect(text.join('')).toBe(whole.choices[0].message.content)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage, model: 'sandbox-chat-default' })
    expect(chunks.at(-2).choices[0].finish_reason).toBe('stop')
    expect(chunks.length).toBeGreaterThan(5)
  })

  test('streams the usage only if the request asks for it', async () => {
    const chunks = await chunksOf(question('Hello'))
    expect(chunks.every(({ usage }) => usage === undefined)).toBe(true)
  })

  test('respects max_tokens and has the finish reason length', async () => {
    for (const bound of [{ max_tokens: 5 }, { max_completion_tokens: 5, max_tokens: 50 }]) {
      const { json } = await ask(question('Hello', bound))
      expect(json.usage.completion_tokens).toBeLessThanOrEqual(5)
      expect(json.choices[0].finish_reason).toBe('length')
    }
  })

  test('returns the requested number of choices and counts each', async () => {
    const one = (await ask(question('Hello'))).json
    const three = (await ask(question('Hello', { n: 3 }))).json
    expect(three.choices.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2])
    expect(three.usage.completion_tokens).toBe(3 * one.usage.completion_tokens)
    const chunks = await chunksOf(question('Hello', { n: 2 }))
    expect(chunks.at(-1).choices).toHaveLength(2)
  })

  test('accepts content in parts, no content, and long content', async () => {
    const parts = [
      { type: 'text', text: 'Hello there' },
      { type: 'image_url', image_url: {} },
    ]
    expect((await ask(question(parts))).json.choices[0].message.content).toContain('Hello there')
    expect((await ask(question(null))).json.choices[0].message.content).toContain('no text')
    expect((await ask(question('word '.repeat(10_000)))).json.choices[0].message.content).toContain('10000 words')
  })

  test('a tool that tool_choice forces is called, whole and streamed', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }]
    const forced = question('Berlin', { tools, tool_choice: { type: 'function', function: { name: 'weather' } } })
    const [choice] = (await ask(forced)).json.choices
    const call = {
      id: expect.any(String),
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Berlin"}' },
    }
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null, tool_calls: [call] } })
    const chunks = await chunksOf(forced)
    const args = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls?.[0].function.arguments ?? '')
    expect(args.join('')).toBe('{"city":"Berlin"}')
    expect((await ask({ ...forced, tool_choice: 'required' })).json.choices[0].finish_reason).toBe('tool_calls')
  })

  test.each([
    ['a body that is not JSON', '{'],
    ['an empty body', ''],
    ['a request without messages', { model: 'm' }],
    ['an empty list of messages', { model: 'm', messages: [] }],
    ['a model that is a number', { model: 1, messages: [{ role: 'user', content: 'x' }] }],
  ])('%s is refused with 400 in the error envelope', async (_, body) => {
    const { status, json } = await ask(body)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ message: expect.stringMatching(/^sandbox: /), type: 'invalid_request_error' })
  })
})
