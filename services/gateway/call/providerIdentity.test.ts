import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { MESSAGES_USAGE, messageObject } from '../../../test/support/events/messagesEvents.ts'
import { RESPONSES_USAGE, responseObject, responsesEvents } from '../../../test/support/events/responsesEvents.ts'
import { useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import {
  chunk,
  completion,
  DONE,
  finishes,
  says,
  streamed,
  USAGE,
  usageBlock,
  whole,
} from '../../../test/support/parties/scriptedProvider.ts'

/** A provider names itself, its account and its price in many places of its answers; real clients read them. */
const used = useGateway()
const MODEL = 'svc/chat-default'
const HELLO = [{ role: 'user' as const, content: 'Hello' }]
const TELLING = /deephost|fp_deep|org-deep|upstream|"cost|payer/i

const IDENTITY = {
  ...{ provider: 'DeepHost', system_fingerprint: 'fp_deephost', organization: 'org-deephost1' },
  ...{ Model: 'deephost-large', billing: { payer: 'deephost' }, x_groq: { id: 'deephost' } },
}
const COST = { cost: 0.01, cost_details: { upstream_inference_cost: 0.01 }, is_byok: false }
const headers = { 'openai-organization': 'org-deephost1', 'x-provider': 'DeepHost', model: 'deephost-large' }

const baseURL = () => `${used.gateway.url}/llm/v1`
const openai = () => new OpenAI({ baseURL: baseURL(), apiKey: used.key, maxRetries: 0 })
const visibleText = (data: unknown, response: Response) => JSON.stringify([data, [...response.headers]])

test('a chat completion names neither provider nor cost, and clients read it as before', async () => {
  used.gateway.provider.always(whole(completion({ ...IDENTITY, usage: { ...USAGE, ...COST } }), { headers }))
  const { data, response } = await openai().chat.completions.create({ model: MODEL, messages: HELLO }).withResponse()
  expect(visibleText(data, response)).not.toMatch(TELLING)
  expect(data).toEqual({ ...completion(), model: MODEL, Model: MODEL })
  expect(data).toMatchObject({ choices: [{ message: { content: 'Good day.' } }], usage: USAGE })
  const compatible = createOpenAICompatible({ name: 'tollgate', baseURL: baseURL(), apiKey: used.key })(MODEL)
  const { text } = await generateText({ model: compatible, prompt: 'Hello', maxRetries: 0 })
  expect(text).toBe('Good day.')
  const configuration = { baseURL: baseURL() }
  const chat = new ChatOpenAI({ model: MODEL, apiKey: used.key, maxRetries: 0, configuration })
  const answer = await chat.invoke('Hello')
  expect(answer.text).toBe('Good day.')
  expect(JSON.stringify(answer)).not.toMatch(TELLING)
})

test('a stream of chat names neither', async () => {
  const chunks = [says('Good'), finishes(), usageBlock({ ...USAGE, ...COST })].map((event) => {
    const payload = JSON.parse(event.slice('data: '.length))
    return chunk({ ...payload, ...IDENTITY })
  })
  used.gateway.provider.next(streamed(...chunks, DONE))
  const events = []
  for await (const event of await openai().chat.completions.create({ model: MODEL, messages: HELLO, stream: true })) {
    events.push(event)
  }
  expect(JSON.stringify(events)).not.toMatch(TELLING)
  expect(events.at(-1)?.usage).toEqual(USAGE)
})

test('embeddings and completions name neither', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [0.5], provider: 'DeepHost' }]
  const choices = [{ index: 0, text: 'Good day.', finish_reason: 'stop', provider: 'DeepHost' }]
  const usage = { ...USAGE, ...COST }
  const answers: [object, () => PromiseLike<unknown>][] = [
    [{ object: 'list', data }, () => openai().embeddings.create({ model: 'svc/embed-default', input: 'Hello' })],
    [{ choices }, () => openai().completions.create({ model: MODEL, prompt: 'Hello' })],
  ]
  for (const [answer, call] of answers) {
    used.gateway.provider.next(whole({ ...answer, ...IDENTITY, usage }))
    expect(JSON.stringify(await call())).not.toMatch(TELLING)
  }
})

test('Responses name neither, and keep the metadata of the caller', async () => {
  const metadata = { provider: 'ours', cost: '1' }
  const answer = { ...IDENTITY, metadata, usage: { ...RESPONSES_USAGE, ...COST } }
  used.gateway.provider.next(whole(responseObject(answer)))
  const { data, response } = await openai().responses.create({ model: MODEL, input: 'Hello' }).withResponse()
  expect(data).toMatchObject({ metadata, usage: RESPONSES_USAGE, output_text: 'Good day.' })
  expect(visibleText({ ...data, metadata: null }, response)).not.toMatch(TELLING)
  const { created, ends } = responsesEvents()
  used.gateway.provider.next(streamed(created(), ends({ ...answer, metadata: {} })))
  const events = []
  for await (const event of await openai().responses.create({ model: MODEL, input: 'Hello', stream: true })) {
    events.push(event)
  }
  expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.completed'])
  expect(JSON.stringify(events)).not.toMatch(TELLING)
})

test('messages and counts of their tokens name neither', async () => {
  used.gateway.provider.next(whole({ ...messageObject(), ...IDENTITY, usage: { ...MESSAGES_USAGE, ...COST } }))
  const client = new Anthropic({ baseURL: `${used.gateway.url}/llm`, apiKey: used.key, maxRetries: 0 })
  const request = { model: MODEL, max_tokens: 9, messages: HELLO }
  const { data, response } = await client.messages.create(request).withResponse()
  expect(data.usage).toEqual(MESSAGES_USAGE)
  expect(visibleText(data, response)).not.toMatch(TELLING)
  used.gateway.provider.next(whole({ input_tokens: 3, ...IDENTITY, ...COST }, { headers }))
  const counted = await client.messages.countTokens({ model: MODEL, messages: HELLO }).withResponse()
  expect(counted.data).toEqual({ input_tokens: 3, Model: MODEL })
  expect(visibleText(counted.data, counted.response)).not.toMatch(TELLING)
})

test('a refusal does not mention our account', async () => {
  const message = 'Rate limit in organization org-deephost1 (proj_deephost9): use fewer tokens.'
  used.gateway.provider.next(whole({ error: { message } }, { status: 400 }))
  const body = { model: MODEL, messages: HELLO }
  const { json } = await used.gateway.call('/chat/completions', { key: used.key, body })
  expect(json.error.message).toBe('Rate limit in organization *** (***): use fewer tokens.')
})
