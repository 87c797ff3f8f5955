import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const ACCEPT = { accept: 'application/json, text/event-stream' }

let gateway: MemoryGateway
let key: string
beforeAll(async () => {
  gateway = await startMemoryGateway()
  key = gateway.mintKey({ scopes: ['usage:read'] })
})
afterAll(() => gateway.close())

test('200: lists the tools that the scopes of the key allow', async () => {
  const { status, json } = await gateway.call('/mcp', { key, body: LIST, headers: ACCEPT })
  expect(status).toBe(200)
  expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['get_usage'])
})

test('200 with a tool error that carries the code when the key lacks the scope of a tool', async () => {
  const body = { ...LIST, method: 'tools/call', params: { name: 'list_jobs', arguments: {} } }
  const { status, json } = await gateway.call('/mcp', { key, body, headers: ACCEPT })
  expect(status).toBe(200)
  expect(json.result.isError).toBe(true)
  expect(JSON.parse(json.result.content[0].text).code).toBe('LLM_SCOPE_DENIED')
})

test('400 for a body that is not JSON, and for a batch', async () => {
  expect((await gateway.call('/mcp', { key, body: '{', headers: ACCEPT })).json.error.code).toBe(-32700)
  expect((await gateway.call('/mcp', { key, body: [LIST], headers: ACCEPT })).json.error.code).toBe(-32600)
})

test('401 without a key', async () => {
  expect((await gateway.call('/mcp', { body: LIST, headers: ACCEPT })).status).toBe(401)
})

test('403 for the Origin of another site', async () => {
  const headers = { ...ACCEPT, origin: 'https://evil.example' }
  expect((await gateway.call('/mcp', { key, body: LIST, headers })).status).toBe(403)
})

test('404 for PUT', async () => {
  expect((await gateway.call('/mcp', { key, method: 'PUT' })).status).toBe(404)
})

test.each(['GET', 'DELETE'])('405 for %s, because there are no sessions', async (method) => {
  const { status, headers } = await gateway.call('/mcp', { key, method })
  expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' })
})
