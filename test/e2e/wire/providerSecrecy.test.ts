import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, CHAT, callIdOf, chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, INTERNAL_TOKEN, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import {
  chunk,
  completion,
  DONE,
  finishes,
  PROVIDER_KEY,
  PROVIDER_MODEL,
  type Script,
  says,
  streamed,
  USAGE,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'
import { PARSE_CV } from '../parsingRequests.ts'

const MAIL_PASSWORD = 'pa ss'
const STRIPE_KEY = 'stripe-key-of-the-tests'
/** A provider that echoes its request and leaks secrets. */
const INDISCREET = [
  `${PROVIDER_MODEL} of Vendor-One (also ${PROVIDER_MODEL}-preview) at http://127.0.0.1/v1 refuses this:`,
  `Authorization: Bearer ${PROVIDER_KEY}, ${PROVIDER_KEY}, other-vendor-key, ${INTERNAL_TOKEN}, ${STRIPE_KEY},`,
  `${MAIL_PASSWORD}, sk-proj-0123456789, ${'0a1B'.repeat(10)}; other-vendor's spare-model too. Try again.`,
].join(' ')
const TELLING = /vendor|127\.0|spare-model|internal-token|stripe-key|pa ss|sk-proj|0a1B|x-secret|Bearer (?!<API_KEY>)/i

let gateway: GatewayHarness
beforeAll(async () => {
  gateway = await startGatewayHarness({
    env: { SMTP_URL: `smtp://mail:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1`, STRIPE_SECRET_KEY: STRIPE_KEY },
    providers: [{}, { name: 'other-vendor', model: 'big/spare-model', apiKey: 'other-vendor-key' }],
  })
})
afterAll(() => gateway.close())

function expectNothingTold({ headers, text }: Pick<Answer, 'headers' | 'text'>): void {
  expect(JSON.stringify(headers)).not.toMatch(TELLING)
  expect(text).not.toMatch(TELLING)
}

const MCP = '/llm/v1/mcp'
const tool = (name: string, args: object) => ({
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  headers: { accept: 'application/json, text/event-stream' },
})
const { model, messages } = chatBody() as { model: string; messages: unknown }
const CALLS: readonly [string, string, Parameters<GatewayHarness['call']>[1]][] = [
  ['chat', CHAT, { body: chatBody() }],
  ['a stream', CHAT, { body: chatBody({ stream: true }) }],
  ['completions', '/llm/v1/completions', { body: { model: 'svc/chat-default', prompt: 'Hi' } }],
  ['embeddings', '/llm/v1/embeddings', { body: { model: 'svc/embed-default', input: 'Hi' } }],
  ['parsing', PARSE_CV, { body: { text: 'Ada Example, engineer' } }],
  ['the chat tool', MCP, tool('chat', { model, messages })],
  ['the parsing tool', MCP, tool('parse_cv', { text: 'Ada Example, engineer' })],
]

describe("a provider's refusal tells the caller nothing of providers, models and secrets", () => {
  test.each(CALLS)('of %s', async (_, path, options) => {
    gateway.provider.next(whole({ error: { message: INDISCREET, type: 'vendor' } }, { status: 400 }))
    const answer = await gateway.call(path, { method: 'POST', ...options })
    expect(answer.text).toContain('refuses this')
    expect(answer.text).toContain('Try again.')
    expectNothingTold(answer)
    expect(await gateway.ending(callIdOf(answer))).toMatchObject({ data: { reason: 'provider_400' } })
  })

  test('however long it is', async () => {
    const message = `${'word '.repeat(1_000)}${INDISCREET}`
    gateway.provider.next(whole({ error: { message } }, { status: 422 }))
    const answer = await gateway.chat(chatBody())
    expect(answer.json.error.message).toHaveLength(2_001)
    expectNothingTold(answer)
  })

  test.each([500, 401])('with status %i says nothing at all', async (status) => {
    gateway.provider.next(...[1, 2].map(() => whole({ error: { message: INDISCREET } }, { status })))
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(503)
    expectNothingTold(answer)
  })
})

describe('an answer', () => {
  const SAID = `I am ${PROVIDER_MODEL}, {"model":"${PROVIDER_MODEL}"}, sk-proj-0123456789`
  const telling = {
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: SAID, model: PROVIDER_MODEL },
        error: { message: INDISCREET },
        finish_reason: 'stop',
      },
    ],
    usage: { ...USAGE, details: { model: `${PROVIDER_MODEL}-preview` } },
  }
  const typed = { 'content-type': `application/json; model=${PROVIDER_MODEL}; charset=latin1` }

  test('in one piece has the alias in every model and a redacted error; its content stays', async () => {
    gateway.provider.next(whole(completion(telling), { headers: typed }))
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json.choices[0].message).toEqual({ role: 'assistant', content: SAID, model: 'svc/chat-default' })
    expect(answer.json.usage.details).toEqual({ model: 'svc/chat-default' })
    expect(answer.json.choices[0].error.message).toContain('refuses this')
    expectNothingTold({ headers: answer.headers, text: answer.text.replace(JSON.stringify(SAID), '') })
  })

  test('of the chat tool, too', async () => {
    gateway.provider.next(whole(completion(telling), { headers: typed }))
    const answer = await gateway.call(MCP, { method: 'POST', ...tool('chat', { model, messages }) })
    const { structuredContent, content } = answer.json.result
    expect(JSON.parse(content[0].text)).toEqual(structuredContent)
    const [choice] = structuredContent.choices
    expect(choice.message.content).toBe(SAID)
    expect(JSON.stringify({ ...structuredContent, choices: [{ ...choice, message: 0 }] })).not.toMatch(TELLING)
  })

  test('of embeddings has the alias beside each vector', async () => {
    const data = [{ index: 0, embedding: [1], model: PROVIDER_MODEL }]
    gateway.provider.next(whole({ data, model: PROVIDER_MODEL, usage: USAGE }))
    const answer = await gateway.call('/llm/v1/embeddings', { body: { model: 'svc/embed-default', input: 'Hi' } })
    expect(answer.json.data[0]).toEqual({ index: 0, embedding: [1], model: 'svc/embed-default' })
  })
})

describe('a stream', () => {
  const stream = (script: Script) => {
    gateway.provider.next(script)
    return gateway.chat(chatBody({ stream: true }))
  }

  test('has no names in comments, events, ids and nested models; its content stays', async () => {
    const content = `${PROVIDER_MODEL} by vendor-one`
    const nested = chunk({
      choices: [{ index: 0, delta: { content, model: PROVIDER_MODEL } }],
      x: { model: PROVIDER_MODEL },
    })
    const answer = await stream(
      streamed(
        `: VENDOR-ONE PROCESSING\n\n`,
        `event: ${PROVIDER_MODEL}\nid: ${PROVIDER_MODEL}-1\n${nested}`,
        `: Bearer ${PROVIDER_KEY}\nx-${PROVIDER_MODEL}: 1\n${finishes()}`,
        usageBlock(),
        `: served by ${PROVIDER_MODEL}\n\n`,
        DONE,
      ),
    )
    expect(answer.text).toContain(`"delta":{"content":"${content}","model":"svc/chat-default"}`)
    expect(answer.text).toContain('"x":{"model":"svc/chat-default"}')
    expect(answer.text).toContain(': the provider PROCESSING\n\n')
    expect(answer.text).toContain('event: the model\nid: the model\n')
    expect(answer.text.endsWith(': served by the model\n\ndata: [DONE]\n\n')).toBe(true)
    expectNothingTold({ headers: answer.headers, text: answer.text.replace(content, '') })
  })

  test.each([
    ['a chunk', chunk({ error: { message: INDISCREET } })],
    ['an event of its own', `event: error\ndata: ${JSON.stringify({ error: INDISCREET })}\n\n`],
    ['text that is not JSON', `data: ${INDISCREET}\n\n`],
  ])('whose provider reports an error as %s tells the caller nothing of it', async (_, event) => {
    const answer = await stream(streamed(says('Good'), event, DONE))
    expect(answer.text).toMatch(/data: {"error":{"message":"The model reported an error/)
    expect(answer.text).not.toContain('[DONE]')
    expectNothingTold(answer)
  })

  test('with an error in a choice has it redacted', async () => {
    const failing = chunk({
      choices: [{ index: 0, delta: {}, error: { message: INDISCREET }, finish_reason: 'error' }],
    })
    const answer = await stream(streamed(says('Good'), failing, usageBlock(), DONE))
    expect(answer.text).toContain('refuses this')
    expectNothingTold(answer)
  })
})

test('usage and the log have no secrets after all this', async () => {
  expectNothingTold(await gateway.call('/llm/v1/usage'))
  const log = readFileSync(gateway.logFile, 'utf8')
  expect(log).toContain('provider_400')
  for (const secret of [PROVIDER_KEY, 'other-vendor-key', INTERNAL_TOKEN, STRIPE_KEY, 'sk-proj']) {
    expect(log).not.toContain(secret)
  }
})
