import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../../contracts/scopes.ts'
import { VERSION } from '../../../platform/version.ts'
import { billedCompany } from '../../support/events/billedCompany.ts'
import { chatBody } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../../support/harness/gatewayHarness.ts'
import { whole } from '../../support/parties/scriptedProvider.ts'
import { steppedClock } from '../../support/time/steppedClock.ts'
import { until } from '../../support/time/until.ts'
import { answering } from '../parsingRequests.ts'

const MCP = '/llm/v1/mcp'
const ALL: readonly Scope[] = ['inference:chat', 'inference:parse', 'usage:read', 'jobs:read']

let harness: GatewayHarness
let fullKey: TestKey
const open: Client[] = []
beforeAll(async () => {
  // In real time, a minute could begin between two calls of a test of limits.
  harness = await startGatewayHarness({ clock: steppedClock(Date.UTC(2026, 2, 1, 12)) })
  fullKey = await harness.mintKey(harness.companyId, { scopes: ALL })
})
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(() => harness.close())

async function connect(key: TestKey): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const headers = { authorization: `Bearer ${key.raw}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(harness.url + MCP), { requestInit: { headers } }))
  open.push(client)
  return client
}
const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted()
type ToolError = { readonly message: string; readonly type: string; readonly code: string | null }
async function failure(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolError> {
  const { isError, content } = await client.callTool({ name, arguments: args })
  expect(isError).toBe(true)
  const [part] = content as { text: string }[]
  return JSON.parse(part?.text ?? '')
}
const rpc = (body: unknown, headers: Record<string, string> = {}) =>
  harness.call(MCP, {
    key: fullKey.raw,
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  })

test('the server has the version of the program', async () => {
  expect((await connect(fullKey)).getServerVersion()).toMatchObject({ name: 'tollgate', version: VERSION })
})

describe('the tools', () => {
  test('are listed by the scopes of the key, with both schemas and a description', async () => {
    expect(await names(await connect(fullKey))).toEqual([
      'chat',
      'get_usage',
      'list_jobs',
      'list_models',
      'parse_cv',
      'parse_jd',
    ])
    expect(await names(await connect(harness.key))).toEqual([
      'chat',
      'get_usage',
      'list_models',
      'parse_cv',
      'parse_jd',
    ])
    const reader = await harness.mintKey(harness.companyId, { scopes: ['usage:read'] })
    expect(await names(await connect(reader))).toEqual(['get_usage'])
    const { tools } = await (await connect(fullKey)).listTools()
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect([name, title, description]).not.toContain(undefined)
      expect(inputSchema).toMatchObject({ type: 'object' })
      expect(outputSchema).toMatchObject({ type: 'object' })
      const isFree = ['list_models', 'get_usage', 'list_jobs'].includes(name)
      expect(annotations).toMatchObject({ readOnlyHint: isFree, destructiveHint: false, openWorldHint: !isFree })
    }
  })

  test.each(['list_models', 'get_usage', 'list_jobs'])('%s answers the body of its route', async (name) => {
    const route = { list_models: '/models', get_usage: '/usage', list_jobs: '/jobs' }[name]
    const { structuredContent, content } = await (await connect(fullKey)).callTool({ name, arguments: {} })
    const { json } = await harness.call(`/llm/v1${route}`, { key: fullKey.raw, method: 'GET' })
    const steady = ({ limits: _, to: __, ...body }: Record<string, unknown>) => body
    expect(steady(structuredContent as Record<string, unknown>)).toEqual(steady(json))
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent)
  })

  test('chat answers and is charged as the same call over REST', async () => {
    const client = await connect(fullKey)
    const { structuredContent, isError, _meta } = await client.callTool({ name: 'chat', arguments: { ...chatBody() } })
    expect(isError ?? false).toBe(false)
    expect(structuredContent).toMatchObject({
      model: 'svc/chat-default',
      choices: [{ message: { role: 'assistant' } }],
    })
    const charged = (await harness.ledgerOf(harness.companyId)).filter(
      ({ data }) => 'keyId' in data && data.keyId === fullKey.keyId,
    )
    expect(charged).toMatchObject([{ type: 'CallCharged', data: { endpoint: '/chat/completions', streamed: false } }])
    const costs = charged.map(({ data }) => data as { callId: string; amountMicros: string })
    expect([_meta]).toEqual(
      costs.map(({ callId, amountMicros }) => ({
        'tollgate/callId': callId,
        'tollgate/credits': Number(amountMicros) / 1e6,
      })),
    )
  })
})

describe('a tool error carries the code of the same refusal over REST', () => {
  test('400 INVALID_REQUEST', async () => {
    const client = await connect(fullKey)
    expect(await failure(client, 'get_usage', { group_by: 'moon' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining("'group_by'"),
    })
    expect(await failure(client, 'list_jobs', { limit: 0 })).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await failure(client, 'list_jobs', { cursor: 'x' })).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(await failure(client, 'chat', { model: 'svc/chat-default' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining("'messages'"),
    })
    expect(await failure(client, 'unheard_of')).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('402 INSUFFICIENT_CREDITS', async () => {
    const poor = await harness.mintKey(await harness.registerCompany())
    expect(await failure(await connect(poor), 'chat', { ...chatBody() })).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    })
  })

  test('403 LLM_SCOPE_DENIED and LLM_MODEL_NOT_ALLOWED', async () => {
    const reader = await harness.mintKey(harness.companyId, { scopes: ['usage:read'] })
    expect(await failure(await connect(reader), 'chat', { ...chatBody() })).toMatchObject({ code: 'LLM_SCOPE_DENIED' })
    const cheap = await harness.mintKey(harness.companyId, { models: ['svc/chat-cheap'] })
    expect(await failure(await connect(cheap), 'chat', { ...chatBody() })).toMatchObject({
      code: 'LLM_MODEL_NOT_ALLOWED',
    })
  })

  test('403 PLAN_LIMIT_EXCEEDED', async () => {
    const company = await billedCompany(harness, 'POSTPAID')
    const client = await connect(company.key)
    await company.paymentFailed()
    const chat = () => client.callTool({ name: 'chat', arguments: { ...chatBody() } })
    await until('it is refused', async () => (await chat()).isError === true)
    expect(await failure(client, 'chat', { ...chatBody() })).toMatchObject({
      type: 'permission_error',
      code: 'PLAN_LIMIT_EXCEEDED',
    })
  })

  test('429 rate_limit_error, for the tokens of a key', async () => {
    const client = await connect(await harness.mintKey(harness.companyId, { tpm: 1 }))
    await client.callTool({ name: 'chat', arguments: { ...chatBody() } })
    expect(await failure(client, 'chat', { ...chatBody() })).toEqual({
      message: expect.stringMatching(/^Too many tokens with this key: the limit is 1 a minute\. Retry in \d+ s\.$/),
      type: 'rate_limit_error',
      code: null,
    })
  })

  test('502 LLM_PARSE_FAILED', async () => {
    const noProfile = () => whole(answering('I would rather not.'))
    harness.provider.next(noProfile(), noProfile())
    expect(await failure(await connect(fullKey), 'parse_cv', { text: 'Jo Doe, engineer' })).toMatchObject({
      type: 'api_error',
      code: 'LLM_PARSE_FAILED',
    })
  })

  test('503 LLM_GATEWAY_UNAVAILABLE', async () => {
    expect(
      await failure(await connect(fullKey), 'chat', chatBody({ model: 'svc/extract-fast' }) as Record<string, unknown>),
    ).toMatchObject({ code: 'LLM_GATEWAY_UNAVAILABLE' })
  })
})

describe('the endpoint', () => {
  test('answers 401 without a key', async () => {
    const { status } = await harness.call(MCP, { key: null, method: 'POST', body: '{}' })
    expect(status).toBe(401)
  })

  test('counts each message against the requests per minute of the key: 429 with retry-after', async () => {
    const slow = await harness.mintKey(harness.companyId, { rpm: 5, scopes: ALL })
    const client = await connect(slow)
    const calls = Array.from({ length: 10 }, () =>
      client.listTools().then(
        () => 200,
        (error: { code: number }) => error.code,
      ),
    )
    expect(await Promise.all(calls)).toContain(429)
  })

  test('has no sessions: GET and DELETE are refused with an Allow header', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await harness.call(MCP, { key: fullKey.raw, method })
      expect([status, headers.allow]).toEqual([405, 'POST'])
    }
  })

  test('answers invalid messages with protocol errors, and continues', async () => {
    expect((await rpc('{"jsonrpc":')).json).toMatchObject({ error: { code: -32700 } })
    expect((await rpc([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).json).toMatchObject({ error: { code: -32600 } })
    expect((await rpc({ no: 'message' })).status).toBe(400)
    expect((await rpc({ jsonrpc: '2.0', id: 1, method: 'unheard/of' })).json).toMatchObject({ error: { code: -32601 } })
    expect((await rpc({ jsonrpc: '2.0', id: 2, method: 'tools/list' })).json.result.tools.length).toBe(6)
  })

  test('refuses a Host or Origin header of another site', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect((await rpc(list, { host: 'evil.example' })).status).toBe(403)
    expect((await rpc(list, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await rpc(list, { origin: 'null' })).status).toBe(403)
    const { port } = new URL(harness.url)
    expect((await rpc(list, { origin: `http://localhost:${port}` })).status).toBe(200)
    expect((await rpc(list, { origin: `http://localhost:${port === '3000' ? 3001 : 3000}` })).status).toBe(403)
  })
})
