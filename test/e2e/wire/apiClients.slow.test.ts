import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../../support/harness/gatewayHarness.ts'
import { startTestSandbox } from '../../support/harness/sandbox.ts'

/** Real clients of Responses and Messages with only the base URL and key changed; the sandbox answers them. */
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let gateway: GatewayHarness
let key: TestKey
let mount: string

beforeAll(async () => {
  sandbox = await startTestSandbox()
  gateway = await startGatewayHarness({
    provider: { baseUrl: `${sandbox.url}/v1`, model: 'sandbox-model', apiKey: null },
  })
  mount = `${gateway.url}/llm`
})
beforeEach(async () => {
  key = await gateway.mintKey()
})
afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})

const MODEL = 'svc/chat-default'
const QUESTION = 'How are you today?'
const SANDBOX_ANSWER = /sandbox, not a real model.*How are you today/
const WEATHER = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const

/** The charges of this test's key. */
async function charges() {
  const events = (await gateway.ledgerOf(key.companyId)).filter(
    ({ data }) => 'keyId' in data && data.keyId === key.keyId,
  )
  return events.map((event) => {
    if (event.type !== 'CallCharged') throw new Error(`${event.type} is not a charge`)
    const { endpoint, streamed, tokensIn, tokensOut } = event.data
    return { endpoint, streamed, tokensIn, tokensOut }
  })
}

describe('the OpenAI SDK', () => {
  const client = () => new OpenAI({ baseURL: `${mount}/v1`, apiKey: key.raw, maxRetries: 0 })
  const charged = (streamed: boolean, usage: OpenAI.Responses.ResponseUsage | undefined) => [
    { endpoint: '/responses', streamed, tokensIn: usage?.input_tokens, tokensOut: usage?.output_tokens },
  ]

  test('gets a response', async () => {
    const response = await client().responses.create({ model: MODEL, input: QUESTION })
    expect(response.model).toBe(MODEL)
    expect(response.output_text).toMatch(SANDBOX_ANSWER)
    expect(await charges()).toEqual(charged(false, response.usage))
  })

  test('streams a response', async () => {
    const stream = client().responses.stream({ model: MODEL, input: QUESTION })
    const types = new Set<string>()
    for await (const event of stream) types.add(event.type)
    const response = await stream.finalResponse()
    expect(response.output_text).toMatch(SANDBOX_ANSWER)
    expect(types).toContain('response.output_text.done')
    expect(await charges()).toEqual(charged(true, response.usage))
  })

  test('has a tool called', async () => {
    const { output } = await client().responses.create({
      model: MODEL,
      input: 'Berlin',
      tools: [{ type: 'function', name: 'weather', strict: true, parameters: WEATHER }],
      tool_choice: 'required',
    })
    expect(output).toMatchObject([{ type: 'function_call', name: 'weather', arguments: '{"city":"Berlin"}' }])
  })

  test('throws BadRequestError for features that store data at a provider', async () => {
    const reply = client().responses.create({ model: MODEL, input: QUESTION, previous_response_id: 'resp_1' })
    await expect(reply).rejects.toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
  })
})

describe('the Anthropic SDK', () => {
  const client = (apiKey = key.raw) => new Anthropic({ baseURL: mount, apiKey, maxRetries: 0 })
  const body = { model: MODEL, max_tokens: 1_000, messages: [{ role: 'user' as const, content: QUESTION }] }

  test('gets a message, with its key in x-api-key', async () => {
    const message = await client().messages.create(body)
    expect(message.model).toBe(MODEL)
    expect(message.content).toMatchObject([{ type: 'text', text: expect.stringMatching(SANDBOX_ANSWER) }])
    const { input_tokens: tokensIn, output_tokens: tokensOut } = message.usage
    expect(await charges()).toEqual([{ endpoint: '/messages', streamed: false, tokensIn, tokensOut }])
  })

  test('streams a message, with its key in Authorization', async () => {
    const bearer = new Anthropic({ baseURL: mount, apiKey: null, authToken: key.raw, maxRetries: 0 })
    const stream = bearer.messages.stream(body)
    let text = ''
    stream.on('text', (piece) => {
      text += piece
    })
    const message = await stream.finalMessage()
    expect(text).toMatch(SANDBOX_ANSWER)
    expect(message).toMatchObject({ model: MODEL, stop_reason: 'end_turn' })
    const { input_tokens: tokensIn, output_tokens: tokensOut } = message.usage
    expect(await charges()).toEqual([{ endpoint: '/messages', streamed: true, tokensIn, tokensOut }])
  })

  test('has a tool called', async () => {
    const { content, stop_reason } = await client().messages.create({
      ...body,
      messages: [{ role: 'user', content: 'Berlin' }],
      tools: [{ name: 'weather', input_schema: { ...WEATHER, required: ['city'] } }],
      tool_choice: { type: 'tool', name: 'weather' },
    })
    expect(stop_reason).toBe('tool_use')
    expect(content).toMatchObject([{ type: 'tool_use', name: 'weather', input: { city: 'Berlin' } }])
  })

  test('gets the first answer again with the same Idempotency-Key, for one charge', async () => {
    const repeated = { headers: { 'idempotency-key': 'order-1' } }
    const first = await client().messages.create(body, repeated)
    expect(await client().messages.create(body, repeated)).toEqual(first)
    const stream = { ...body, stream: true as const }
    const streamed = { headers: { 'idempotency-key': 'order-2' } }
    const texts = await Promise.all(
      [0, 1].map(async () => (await client().messages.create(stream, streamed).asResponse()).text()),
    )
    expect(texts[1]).toBe(texts[0])
    expect(await charges()).toHaveLength(2)
  })

  test('counts tokens without a charge', async () => {
    const { model, messages } = body
    const { input_tokens: counted } = await client().messages.countTokens({ model, messages })
    expect(await charges()).toEqual([])
    expect((await client().messages.create(body)).usage.input_tokens).toBe(counted)
  })

  test('throws its own errors, with our codes', async () => {
    await expect(client('tg-unknown').messages.create(body)).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
    const denied = client().messages.create({ ...body, model: 'unknown' })
    await expect(denied).rejects.toBeInstanceOf(Anthropic.PermissionDeniedError)
    await expect(denied).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'permission_error', code: 'LLM_MODEL_NOT_ALLOWED' } },
    })
  })
})

describe('the AI SDK', () => {
  const model = () => createAnthropic({ baseURL: `${mount}/v1`, apiKey: key.raw })(MODEL)

  test('generates and streams text', async () => {
    const { text, usage } = await generateText({
      model: model(),
      prompt: QUESTION,
      maxOutputTokens: 1_000,
      maxRetries: 0,
    })
    expect(text).toMatch(SANDBOX_ANSWER)
    const streamed = streamText({ model: model(), prompt: QUESTION, maxOutputTokens: 1_000, maxRetries: 0 })
    expect(await streamed.text).toBe(text)
    const tokens = { endpoint: '/messages', tokensIn: usage.inputTokens, tokensOut: usage.outputTokens }
    expect(await charges()).toEqual([
      { ...tokens, streamed: false },
      { ...tokens, streamed: true },
    ])
  })

  test('has a tool called', async () => {
    const weather = tool({ inputSchema: jsonSchema<{ city: string }>({ ...WEATHER, required: ['city'] }) })
    const { toolCalls } = await generateText({
      ...{ model: model(), prompt: 'Berlin', maxOutputTokens: 1_000, maxRetries: 0 },
      tools: { weather },
      toolChoice: 'required',
    })
    expect(toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'Berlin' } }])
  })
})

describe('LangChain', () => {
  const chat = () => new ChatAnthropic({ model: MODEL, apiKey: key.raw, anthropicApiUrl: mount, maxRetries: 0 })

  test('invokes and streams a chat model', async () => {
    const answer = await chat().invoke(QUESTION)
    expect(answer.text).toMatch(SANDBOX_ANSWER)
    let text = ''
    for await (const chunk of await chat().stream(QUESTION)) text += chunk.text
    expect(text).toBe(answer.text)
    const { input_tokens: tokensIn, output_tokens: tokensOut } = answer.usage_metadata ?? {}
    const tokens = { endpoint: '/messages', tokensIn, tokensOut }
    expect(await charges()).toEqual([
      { ...tokens, streamed: false },
      { ...tokens, streamed: true },
    ])
  })
})
