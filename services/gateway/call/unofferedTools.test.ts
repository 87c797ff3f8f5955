import fc from 'fast-check'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { messageObject } from '../../../test/support/events/messagesEvents.ts'
import { responseObject, responsesStream } from '../../../test/support/events/responsesEvents.ts'
import { TOOL_PRICES } from '../../../test/support/harness/gatewayHarness.ts'
import { useGateway } from '../../../test/support/harness/gatewayRouteCases.ts'
import { PROVIDER_MODEL, streamed, whole } from '../../../test/support/parties/scriptedProvider.ts'
import { listElements, withEdits, withoutElements } from '../wire/json/jsonMembers.ts'
import { readResponsesRequest } from '../wire/requests/responsesRequest.ts'
import { requestBound } from './costBound.ts'
import { withOfferedTools } from './refusedFields.ts'

const used = useGateway({ alias: { allow: ['image_generation'], unofferedTools: 'drop' }, prices: TOOL_PRICES })
const MODEL = 'svc/chat-default'
const body = { model: MODEL, input: 'Hello' }
const lastBody = () => used.gateway.provider.lastCall().body.toString()
const send = (changes: object, path = '/responses', base: object = body) =>
  used.gateway.call(path, { key: used.key, body: { ...base, ...changes } })

/** A request of Codex with its default configuration, which offers web_search for every model. */
const CODEX = {
  model: MODEL,
  instructions: 'You are Codex, based on GPT-5.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
  tools: [
    { type: 'function', name: 'exec_command', strict: false, parameters: { type: 'object', properties: {} } },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
    { type: 'web_search', external_web_access: false },
    { type: 'function', name: 'view_image', strict: false, parameters: { type: 'object', properties: {} } },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: '0199a213-81c0-7800-8aa1-bbab2a035a53',
} as const

test('a request of Codex with its default configuration is answered; only web_search is left out', async () => {
  used.gateway.provider.next(streamed(...responsesStream('Good day.')))
  const client = new OpenAI({ baseURL: `${used.gateway.url}/llm/v1`, apiKey: used.key, maxRetries: 0 })
  const types: string[] = []
  const events = await client.responses.create(CODEX as unknown as OpenAI.Responses.ResponseCreateParamsStreaming)
  for await (const { type } of events) types.push(type)
  expect(types.at(-1)).toBe('response.completed')
  const { tools } = CODEX
  const expected = { ...CODEX, model: PROVIDER_MODEL, tools: [tools[0], tools[1], tools[3]] }
  expect(lastBody()).toBe(JSON.stringify(expected))
})

test('tools that the alias offers stay, and every other byte does', async () => {
  used.gateway.provider.always(whole(responseObject()))
  const text = `{ "tools" : [ {"type":"web_search"} ,{"type":"image_generation", "n":1.0}, {"type":"mcp","server_url":"https://x.example"} ] , "model":"${MODEL}","input":"caf\\u00e9"}`
  expect((await used.gateway.call('/responses', { key: used.key, body: Buffer.from(text) })).status).toBe(200)
  expect(lastBody()).toBe(
    `{ "tools" : [ {"type":"image_generation", "n":1.0} ] , "model":"${PROVIDER_MODEL}","input":"caf\\u00e9"}`,
  )
  expect((await send({ tools: [{ type: 'web_search' }, { type: 'mcp' }], user: 'x'.repeat(100_000) })).status).toBe(200)
  expect(JSON.parse(lastBody())).toMatchObject({ tools: [], input: 'Hello' })
})

test('Messages and its count of tokens drop tools, too', async () => {
  const question = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
  const own = { name: 'f', input_schema: { type: 'object' } }
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }, own]
  for (const [path, answer] of [
    ['/messages', messageObject()],
    ['/messages/count_tokens', { input_tokens: 3 }],
  ] as const) {
    used.gateway.provider.next(whole(answer))
    expect((await send({ tools }, path, question)).status).toBe(200)
    expect(JSON.parse(lastBody()).tools).toEqual([own])
  }
})

test.each<[string, object]>([
  ['tool_choice insists on', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
  [
    'tool_choice allows by name',
    { tools: [{ type: 'web_search' }], tool_choice: { type: 'allowed_tools', tools: [{ type: 'web_search' }] } },
  ],
  ['stands in a namespace', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] }] }],
  [
    'stands in a namespace and in the list, beside one that is dropped',
    {
      tools: [
        { type: 'web_search' },
        { type: 'mcp', server_url: 'https://x.example' },
        { type: 'namespace', name: 'n', tools: [{ type: 'web_search' }] },
      ],
    },
  ],
  ['stands in an item', { input: [{ type: 'tool_search_output', tools: [{ type: 'web_search' }] }] }],
])('400 for a tool that %s: it is not dropped', async (_, changes) => {
  const { status, json } = await send(changes)
  expect({ status, param: json.error.param }).toEqual({ status: 400, param: 'tools' })
  expect(json.error.message).toContain('does not offer the hosted tool "web_search"')
})

test('400 for the tool that tool_choice of Messages names, and for MCP servers', async () => {
  const question = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] }
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const chosen = { tools, tool_choice: { type: 'tool', name: 'web_search' } }
  expect((await send(chosen, '/messages', question)).status).toBe(400)
  const servers = { mcp_servers: [{ type: 'url', url: 'https://x.example', name: 'x' }] }
  expect((await send(servers, '/messages', question)).status).toBe(400)
})

test('dropped tools do not raise the bound on the tokens of a call', () => {
  const request = readResponsesRequest(Buffer.from(JSON.stringify({ ...body, tools: [{ type: 'web_search' }] })))
  if ('refused' in request) throw new Error(request.refused)
  const without = withOfferedTools(request, { unofferedTools: 'drop' })
  expect(requestBound(request)(1).tokensIn).toBeGreaterThan(1_000_000)
  expect(requestBound(without)(1).tokensIn).toBe(request.bodyBytes)
})

test('withoutElements removes any elements of an array, and leaves JSON', () => {
  const space = fc.constantFrom('', ' ', '\n')
  const element = fc.tuple(fc.constantFrom('1', '"],["', '{"a":[1,2]}', '[]'), fc.boolean(), space, space)
  fc.assert(
    fc.property(fc.array(element, { minLength: 1, maxLength: 6 }), (elements) => {
      const text = `[${elements.map(([value, , before, after]) => before + value + after).join(',')}]`
      const json = Buffer.from(text)
      const edits = withoutElements(listElements(json, 0), (position) => elements[position]?.[1] === true)
      const kept = elements.filter(([, isRemoved]) => !isRemoved).map(([value]) => JSON.parse(value))
      expect(JSON.parse(withEdits(json, edits).toString())).toEqual(kept)
    }),
  )
})
