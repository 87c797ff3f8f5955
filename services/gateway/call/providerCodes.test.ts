import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeEach, describe, expect, test } from 'vitest'
import { PROVIDER_ANSWER_BYTES_MAX } from '../../../capabilities/providers/answerReceiver.ts'
import { messageObject, messagesStream } from '../../../test/support/events/messagesEvents.ts'
import { responseObject, responsesEvents } from '../../../test/support/events/responsesEvents.ts'
import { useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import {
  chunk,
  completion,
  PROVIDER_MODEL,
  type Script,
  says,
  streamed,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'

/** Error codes of providers reach the caller in the form of their API; the provider's text does not. */
const used = useGateway()
const MODEL = 'svc/chat-default'
const HELLO = [{ role: 'user' as const, content: 'Hello' }]

const openai = () => new OpenAI({ baseURL: `${used.gateway.url}/llm/v1`, apiKey: used.key, maxRetries: 3 })
const anthropic = () => new Anthropic({ baseURL: `${used.gateway.url}/llm`, apiKey: used.key, maxRetries: 3 })

/** The fields that the errors of both clients share. */
type ClientError = Error & {
  readonly status: number
  readonly headers: Headers
  readonly error: unknown
  readonly requestID: string
}

async function failureOf(request: PromiseLike<unknown>): Promise<ClientError> {
  const failure = await Promise.resolve(request).then(
    () => null,
    (error: ClientError) => error,
  )
  return failure ?? expect.unreachable('the call succeeded')
}

async function readToEnd(stream: PromiseLike<AsyncIterable<unknown>>): Promise<unknown[]> {
  const events = []
  for await (const event of await stream) events.push(event)
  return events
}

const CODES = ['context_length_exceeded', 'invalid_prompt', 'content_filter', 'content_policy_violation']
const refusal = (code: string, changes: object = {}) => ({
  error: { message: `${PROVIDER_MODEL} of vendor-one: no`, type: 'vendor', code, param: 'messages', ...changes },
})

/** An error in our own words, after an answer of status 200 has begun. */
function expectNothingTold(error: unknown): void {
  expect(JSON.stringify(error)).not.toMatch(/vendor/i)
}

describe('a refusal of the provider keeps its code and param', () => {
  test.each(CODES)('%s of chat, completions, embeddings and Responses', async (code) => {
    const calls: ((client: OpenAI) => PromiseLike<unknown>)[] = [
      (client) => client.chat.completions.create({ model: MODEL, messages: HELLO }),
      (client) => client.chat.completions.create({ model: MODEL, messages: HELLO, stream: true }),
      (client) => client.completions.create({ model: MODEL, prompt: 'Hello' }),
      (client) => client.embeddings.create({ model: 'svc/embed-default', input: 'Hello' }),
      (client) => client.responses.create({ model: MODEL, input: 'Hello' }),
    ]
    for (const call of calls) {
      used.gateway.provider.next(whole(refusal(code), { status: 400 }))
      const error = await failureOf(call(openai()))
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).toMatchObject({ code, param: 'messages', type: 'invalid_request_error' })
      expect(error.message).toBe('400 the model of the provider: no')
    }
  })

  test('of Messages, within its envelope', async () => {
    used.gateway.provider.next(whole(refusal('context_length_exceeded'), { status: 413 }))
    const error = await failureOf(anthropic().messages.create({ model: MODEL, max_tokens: 9, messages: HELLO }))
    expect(error.status).toBe(413)
    expect(error.error).toEqual({
      type: 'error',
      error: {
        ...{ type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
        message: 'the model of the provider: no',
      },
    })
  })

  test.each<[string, object, object]>([
    ['an unknown code', { code: 'vendor_one_overloaded' }, { code: 'INVALID_REQUEST', param: 'messages' }],
    ['a param that names the model', { param: PROVIDER_MODEL }, { code: 'invalid_prompt', param: undefined }],
    ['a param that is prose', { param: 'see the docs of us' }, { code: 'invalid_prompt', param: undefined }],
    ['a param that is not a text', { param: { a: 1 } }, { code: 'invalid_prompt', param: undefined }],
    ['a path', { param: 'messages[0].content[1].image_url' }, { param: 'messages[0].content[1].image_url' }],
  ])('%s', async (_, changes, expected) => {
    used.gateway.provider.next(whole(refusal('invalid_prompt', changes), { status: 400 }))
    const { json } = await used.gateway.call('/chat/completions', {
      ...{ key: used.key, body: { model: MODEL, messages: HELLO } },
    })
    const { code, param } = json.error
    expect({ code, param }).toMatchObject(expected)
    expectNothingTold(json)
  })
})

describe('an error in a stream keeps its code', () => {
  test.each([...CODES, 'rate_limit_exceeded'])('%s of chat', async (code) => {
    used.gateway.provider.next(streamed(says('Good'), chunk(refusal(code))))
    const error = await failureOf(
      readToEnd(openai().chat.completions.create({ model: MODEL, messages: HELLO, stream: true })),
    )
    const type = code === 'rate_limit_exceeded' ? 'rate_limit_error' : 'invalid_request_error'
    expect(error.error).toEqual({ code, type, param: 'messages', message: expect.stringMatching(/costs nothing\.$/) })
    expectNothingTold(error.error)
  })

  test('of chat, from an event that only its name shows to be an error', async () => {
    const event = `id: 1\nevent:error\ndata: ${JSON.stringify(refusal('content_filter').error)}\n\n`
    used.gateway.provider.next(streamed(says('Good'), event))
    const stream = openai().chat.completions.create({ model: MODEL, messages: HELLO, stream: true })
    const { error } = await failureOf(readToEnd(stream))
    expect(error).toMatchObject({ code: 'content_filter' })
    expectNothingTold(error)
  })

  test.each<[string, (code: string) => string]>([
    ['response.failed', (code) => responsesEvents().ends({ error: refusal(code).error }, 'response.failed')],
    ['error', (code) => responsesEvents().event('error', { ...refusal(code).error, type: 'error' })],
    ['error that only its name tells', (code) => responsesEvents().event('error', refusal(code).error)],
    ['error with the error inside', (code) => responsesEvents().event('error', refusal(code))],
  ])('of Responses, from %s', async (_, event) => {
    for (const code of [...CODES, 'rate_limit_exceeded']) {
      used.gateway.provider.next(streamed(responsesEvents().created(), event(code)))
      const events = await readToEnd(openai().responses.create({ model: MODEL, input: 'Hello', stream: true }))
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { code, message: expect.stringMatching(/costs nothing\.$/) } },
      })
      expectNothingTold(events)
    }
  })

  test.each<[string, object, string]>([
    ['context_length_exceeded', { code: 'context_length_exceeded' }, 'invalid_request_error'],
    ['rate_limit_exceeded', { type: 'rate_limit_error', code: undefined }, 'rate_limit_error'],
    ['rate_limit_exceeded', { code: 429 }, 'rate_limit_error'],
  ])('%s of Messages', async (code, changes, type) => {
    const event = `event: error\ndata: ${JSON.stringify({ type: 'error', ...refusal(code, changes) })}\n\n`
    used.gateway.provider.next(streamed(...messagesStream().slice(0, 2), event))
    const error = await failureOf(
      readToEnd(anthropic().messages.create({ model: MODEL, max_tokens: 9, messages: HELLO, stream: true })),
    )
    expect(error.error).toMatchObject({ type: 'error', error: { type, code } })
    expectNothingTold(error.error)
  })

  test('of Messages, from an event that only its name shows to be an error', async () => {
    const event = `event: error\ndata: ${JSON.stringify(refusal('content_filter').error)}\n\n`
    used.gateway.provider.next(streamed(...messagesStream().slice(0, 2), event))
    const stream = anthropic().messages.create({ model: MODEL, max_tokens: 9, messages: HELLO, stream: true })
    const { error } = await failureOf(readToEnd(stream))
    expect(error).toMatchObject({ type: 'error', error: { code: 'content_filter', param: 'messages' } })
    expectNothingTold(error)
  })
})

test.each([
  ['invalid_prompt', 400, undefined],
  ['rate_limit_exceeded', 429, '5'],
])('an answer with status 200 that is the error %s is %i, and costs nothing', async (code, status, retryAfter) => {
  const failed = responseObject({ status: 'failed', error: refusal(code).error })
  for (const [path, answer, body] of [
    ['/responses', failed, { model: MODEL, input: 'Hello' }],
    ['/chat/completions', completion(refusal(code)), { model: MODEL, messages: HELLO }],
    ['/messages', { type: 'error', ...refusal(code) }, { model: MODEL, max_tokens: 9, messages: HELLO }],
  ] as const) {
    used.gateway.provider.next(whole(answer))
    const refused = await used.gateway.call(path, { key: used.key, body })
    expect(refused.status).toBe(status)
    expect(refused.json.error).toMatchObject({ code, param: 'messages' })
    expect(refused.headers['retry-after']).toBe(retryAfter)
    expectNothingTold(refused.json)
    expect(used.gateway.eventsOf(String(refused.headers['x-request-id']))).toMatchObject([{ type: 'CallFailed' }])
  }
})

describe('an answer that is too large', () => {
  const huge = Buffer.alloc(PROVIDER_ANSWER_BYTES_MAX + 1, 'x')
  let callsBefore: number
  beforeEach(() => {
    callsBefore = used.gateway.provider.calls.length
  })

  test('is 502 LLM_ANSWER_TOO_LARGE, and clients do not ask again', async () => {
    used.gateway.provider.always(whole(huge))
    const error = await failureOf(openai().chat.completions.create({ model: MODEL, messages: HELLO }))
    expect(error).toMatchObject({ status: 502, code: 'LLM_ANSWER_TOO_LARGE', type: 'api_error' })
    expect(error.headers.get('x-should-retry')).toBe('false')
    expect(error.headers.get('retry-after')).toBeNull()
    const message = await failureOf(anthropic().messages.create({ model: MODEL, max_tokens: 9, messages: HELLO }))
    expect(message).toMatchObject({ status: 502, error: { error: { code: 'LLM_ANSWER_TOO_LARGE' } } })
    expect(used.gateway.provider.calls.length - callsBefore).toBe(2)
  })

  test.each<[string, Script]>([
    ['in an event', streamed(says('x'.repeat(5 * 1024 * 1024)))],
    [
      'in what is held back',
      streamed(
        ...Array.from({ length: 5 }, () =>
          chunk({ choices: [{ index: 0, delta: { content: 'x'.repeat(2 * 1024 * 1024) }, finish_reason: 'stop' }] }),
        ),
      ),
    ],
  ])('%s of a stream ends it with that code', async (_, script) => {
    used.gateway.provider.next(script)
    const error = await failureOf(
      readToEnd(openai().chat.completions.create({ model: MODEL, messages: HELLO, stream: true })),
    )
    expect(error).toMatchObject({ code: 'LLM_ANSWER_TOO_LARGE', type: 'api_error' })
  })
})

test('answers of Messages have the id of the call in request-id, too: 200, errors, streams and counts', async () => {
  used.gateway.provider.always(whole(messageObject()))
  const request = { model: MODEL, max_tokens: 9, messages: HELLO }
  const { request_id, response } = await anthropic().messages.create(request).withResponse()
  expect(request_id).toBe(response.headers.get('x-request-id'))
  const error = await failureOf(anthropic().messages.create({ ...request, model: 'unknown' }))
  expect(error.requestID).toBe(error.headers.get('x-request-id'))
  expect(error.requestID).toMatch(/^[\da-f-]{36}$/)
  used.gateway.provider.next(streamed(...messagesStream()), whole({ input_tokens: 3 }))
  const { headers } = await anthropic()
    .messages.create({ ...request, stream: true })
    .asResponse()
  expect(headers.get('request-id')).toBe(headers.get('x-request-id'))
  const counted = await anthropic().messages.countTokens({ model: MODEL, messages: HELLO }).asResponse()
  expect(counted.headers.get('request-id')).toBe(counted.headers.get('x-request-id'))
  const chat = await used.gateway.call('/chat/completions', { key: used.key, body: { model: 'unknown' } })
  expect(chat.headers).not.toHaveProperty('request-id')
})
