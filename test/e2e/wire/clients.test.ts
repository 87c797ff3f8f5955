import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { embedMany, generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type GatewayHarness,
  type KeyChanges,
  startGatewayHarness,
  type TestKey,
} from '../../support/harness/gatewayHarness.ts'
import { startTestSandbox } from '../../support/harness/sandbox.ts'

/** Popular clients with only the base URL and key changed; the sandbox answers them. */
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>
let gateway: GatewayHarness
let key: TestKey
let baseURL: string

beforeAll(async () => {
  sandbox = await startTestSandbox()
  gateway = await startGatewayHarness({
    provider: { baseUrl: `${sandbox.url}/v1`, model: 'sandbox-model', apiKey: null },
  })
  baseURL = `${gateway.url}/llm/v1`
})
beforeEach(async () => {
  key = await gateway.mintKey()
})
afterAll(async () => {
  await gateway.close()
  await sandbox.close()
})

const CHAT_MODEL = 'svc/chat-default'
const EMBED_MODEL = 'svc/embed-default'
const MESSAGES = [{ role: 'user' as const, content: 'How are you today?' }]
const SANDBOX_ANSWER = /sandbox, not a real model.*How are you today/

/** The charges of this test's key, each with its tokens. */
async function charges({ keyId, companyId }: TestKey = key) {
  const events = (await gateway.ledgerOf(companyId)).filter(({ data }) => 'keyId' in data && data.keyId === keyId)
  const charged = events.filter((event) => event.type === 'CallCharged')
  expect(charged).toEqual(events)
  return charged.map(({ data: { callId, alias, endpoint, streamed, tokensIn, tokensOut, amountMicros } }) => {
    // By the prices of the harness: 500 millionths a token in, 1,500 a token out.
    expect(amountMicros).toBe(String(500 * tokensIn + 1_500 * tokensOut))
    return { callId, alias, endpoint, streamed, tokensIn, tokensOut }
  })
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
const SENTENCES = ['Please send me the invoice.', 'Could you mail the bill?', 'Penguins huddle to stay warm.']

/** Checks that similar sentences have similar vectors. */
function expectMeaning(embeddings: readonly (readonly number[])[]): void {
  const [text = [], paraphrase = [], unrelated = []] = embeddings
  expect(dot(text, text)).toBeCloseTo(1, 4)
  expect(dot(text, paraphrase)).toBeGreaterThan(dot(text, unrelated))
}

describe('the OpenAI SDK', () => {
  const client = (options: object = {}) => new OpenAI({ baseURL, apiKey: key.raw, maxRetries: 0, ...options })

  test('chats', async () => {
    const { data, request_id } = await client()
      .chat.completions.create({ model: CHAT_MODEL, messages: MESSAGES })
      .withResponse()
    expect(data.model).toBe(CHAT_MODEL)
    expect(data.choices[0]?.message.content).toMatch(SANDBOX_ANSWER)
    expect(await charges()).toEqual([
      {
        callId: request_id,
        alias: CHAT_MODEL,
        endpoint: '/chat/completions',
        streamed: false,
        tokensIn: data.usage?.prompt_tokens,
        tokensOut: data.usage?.completion_tokens,
      },
    ])
  })

  test('streams a chat with its usage, and skips the comment with its cost', async () => {
    let sent = Promise.resolve('')
    const copying: typeof fetch = async (...request) => {
      const answer = await fetch(...request)
      sent = answer.clone().text()
      return answer
    }
    const { data: stream, request_id } = await client({ fetch: copying })
      .chat.completions.create({
        model: CHAT_MODEL,
        messages: MESSAGES,
        stream: true,
        stream_options: { include_usage: true },
      })
      .withResponse()
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of stream) {
      expect(chunk.model).toBe(CHAT_MODEL)
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect(text).toMatch(SANDBOX_ANSWER)
    expect(await sent).toMatch(/^: x-credits-charged \d+(\.\d+)?$/m)
    expect(await charges()).toMatchObject([
      { callId: request_id, streamed: true, tokensIn: usage?.prompt_tokens, tokensOut: usage?.completion_tokens },
    ])
  })

  test('gets the same embeddings in its default base64 and as numbers', async () => {
    const formats: unknown[] = []
    const recording = client({
      fetch: (url: string, init: RequestInit) => {
        formats.push(JSON.parse(String(init.body)).encoding_format)
        return fetch(url, init)
      },
    })
    const ask = (more: object = {}) => recording.embeddings.create({ model: EMBED_MODEL, input: SENTENCES, ...more })
    const packed = await ask()
    const numbers = await ask({ encoding_format: 'float' })
    expect(formats).toEqual(['base64', 'float'])
    expect(packed.model).toBe(EMBED_MODEL)
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(
      numbers.data.map(({ embedding }) => embedding.map(Math.fround)),
    )
    expectMeaning(packed.data.map(({ embedding }) => embedding))
    expect((await ask({ dimensions: 64 })).data[0]?.embedding).toHaveLength(64)
    const charged = { alias: EMBED_MODEL, endpoint: '/embeddings', tokensIn: packed.usage.prompt_tokens, tokensOut: 0 }
    expect(await charges()).toMatchObject([charged, charged, charged])
  })

  test('gets legacy completions, plain and streamed', async () => {
    const body = { model: CHAT_MODEL, prompt: ['Once upon a time', 'How are you today?'], n: 2 }
    const whole = await client().completions.create(body)
    expect(whole.model).toBe(CHAT_MODEL)
    expect(whole.choices.map(({ index }) => index)).toEqual([0, 1, 2, 3])
    expect(whole.choices[2]?.text).toMatch(SANDBOX_ANSWER)
    const texts = ['', '', '', '']
    for await (const { choices } of await client().completions.create({ ...body, stream: true })) {
      for (const { index, text } of choices) texts[index] += text
    }
    expect(texts).toEqual(whole.choices.map(({ text }) => text))
    const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = whole.usage ?? {}
    expect(await charges()).toMatchObject([
      { endpoint: '/completions', streamed: false, tokensIn, tokensOut },
      { endpoint: '/completions', streamed: true, tokensIn, tokensOut },
    ])
  })

  describe('throws', () => {
    const refusal = (ask: Promise<unknown>) =>
      ask.then(
        () => expect.unreachable('it was answered'),
        (error: InstanceType<typeof OpenAI.APIError>) => error,
      )
    const chat = (apiKey: string, model = CHAT_MODEL) =>
      client({ apiKey }).chat.completions.create({ model, messages: MESSAGES })
    const withKey = async (changes: KeyChanges) => (await gateway.mintKey(undefined, changes)).raw

    test('AuthenticationError at 401', async () => {
      const error = await refusal(chat('tg-unknown'))
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ status: 401, code: null, type: 'authentication_error' })
    })

    test('APIError with INSUFFICIENT_CREDITS at 402', async () => {
      const penniless = await gateway.mintKey(await gateway.registerCompany())
      const error = await refusal(chat(penniless.raw))
      expect(error).toBeInstanceOf(OpenAI.APIError)
      expect(error).toMatchObject({ status: 402, code: 'INSUFFICIENT_CREDITS', type: 'insufficient_quota' })
    })

    test('PermissionDeniedError at 403, with the code of each reason', async () => {
      const notAllowed = await refusal(chat(await withKey({ models: ['svc/chat-cheap'] })))
      expect(notAllowed).toBeInstanceOf(OpenAI.PermissionDeniedError)
      expect(notAllowed.code).toBe('LLM_MODEL_NOT_ALLOWED')
      const unscoped = client({ apiKey: await withKey({ scopes: ['usage:read'] }) })
      const denied = await refusal(unscoped.embeddings.create({ model: EMBED_MODEL, input: 'Hello' }))
      expect(denied).toBeInstanceOf(OpenAI.PermissionDeniedError)
      expect(denied.code).toBe('LLM_SCOPE_DENIED')
    })

    test('NotFoundError at 404', async () => {
      const error = await refusal(client().get('/nowhere'))
      expect(error).toBeInstanceOf(OpenAI.NotFoundError)
      expect(error).toMatchObject({ code: null, type: 'not_found_error' })
    })

    test('BadRequestError at 400, from the gateway and from the provider', async () => {
      const ours = await refusal(client().embeddings.create({ model: EMBED_MODEL, input: [] }))
      expect(ours).toBeInstanceOf(OpenAI.BadRequestError)
      expect(ours).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining("'input'") })
      const theirs = await refusal(client().embeddings.create({ model: EMBED_MODEL, input: '' }))
      expect(theirs).toBeInstanceOf(OpenAI.BadRequestError)
      expect(theirs.message).toContain('an empty text has no embedding')
    })

    test('RateLimitError at 429, with retry-after', async () => {
      // The minute may turn between two of the calls, not between all.
      const limited = await withKey({ rpm: 1 })
      const error = await refusal(
        chat(limited)
          .then(() => chat(limited))
          .then(() => chat(limited)),
      )
      expect(error).toBeInstanceOf(OpenAI.RateLimitError)
      expect(error).toMatchObject({ code: null, type: 'rate_limit_error', requestID: expect.any(String) })
      expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0)
    })
  })
})

describe('the AI SDK', () => {
  const provider = () => createOpenAICompatible({ name: 'tollgate', baseURL, apiKey: key.raw, includeUsage: true })

  test('generates text', async () => {
    const { text, usage, response } = await generateText({
      model: provider()(CHAT_MODEL),
      prompt: 'How are you today?',
      maxRetries: 0,
    })
    expect(text).toMatch(SANDBOX_ANSWER)
    expect(response.modelId).toBe(CHAT_MODEL)
    expect(await charges()).toMatchObject([
      { endpoint: '/chat/completions', streamed: false, tokensIn: usage.inputTokens, tokensOut: usage.outputTokens },
    ])
  })

  test('streams text', async () => {
    const result = streamText({ model: provider()(CHAT_MODEL), prompt: 'How are you today?', maxRetries: 0 })
    const pieces: string[] = []
    for await (const piece of result.textStream) pieces.push(piece)
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.join('')).toMatch(SANDBOX_ANSWER)
    const usage = await result.usage
    expect(await charges()).toMatchObject([
      { endpoint: '/chat/completions', streamed: true, tokensIn: usage.inputTokens, tokensOut: usage.outputTokens },
    ])
  })

  test('embeds many', async () => {
    const { embeddings, usage } = await embedMany({
      model: provider().embeddingModel(EMBED_MODEL),
      values: SENTENCES,
      maxRetries: 0,
    })
    expectMeaning(embeddings)
    expect(await charges()).toMatchObject([{ endpoint: '/embeddings', tokensIn: usage.tokens, tokensOut: 0 }])
  })
})

describe('LangChain', () => {
  const chat = () => new ChatOpenAI({ model: CHAT_MODEL, apiKey: key.raw, maxRetries: 0, configuration: { baseURL } })

  test('invokes a chat model', async () => {
    const answer = await chat().invoke('How are you today?')
    expect(answer.text).toMatch(SANDBOX_ANSWER)
    expect(await charges()).toMatchObject([
      {
        endpoint: '/chat/completions',
        streamed: false,
        tokensIn: answer.usage_metadata?.input_tokens,
        tokensOut: answer.usage_metadata?.output_tokens,
      },
    ])
  })

  test('streams a chat model', async () => {
    let answer: Awaited<ReturnType<ChatOpenAI['invoke']>> | undefined
    for await (const chunk of await chat().stream('How are you today?')) answer = answer ? answer.concat(chunk) : chunk
    expect(answer?.text).toMatch(SANDBOX_ANSWER)
    expect(await charges()).toMatchObject([
      {
        endpoint: '/chat/completions',
        streamed: true,
        tokensIn: answer?.usage_metadata?.input_tokens,
        tokensOut: answer?.usage_metadata?.output_tokens,
      },
    ])
  })

  test('embeds documents', async () => {
    const embeddings = new OpenAIEmbeddings({
      model: EMBED_MODEL,
      apiKey: key.raw,
      maxRetries: 0,
      configuration: { baseURL },
    })
    expectMeaning(await embeddings.embedDocuments(SENTENCES))
    const charged = await charges()
    expect(charged).toMatchObject([{ alias: EMBED_MODEL, endpoint: '/embeddings', tokensOut: 0 }])
    expect(charged[0]?.tokensIn).toBeGreaterThan(0)
  })
})
