import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackendHarness, bearer, startBackendHarness } from '../../support/harness/backendHarness.ts'
import { CHAT } from '../../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness } from '../../support/harness/gatewayHarness.ts'
import { startTestSandbox, type TestSandbox } from '../../support/harness/sandbox.ts'
import { until } from '../../support/time/until.ts'

const MIB = 1024 * 1024
let gateway: GatewayHarness
let backend: BackendHarness
let sandbox: TestSandbox

beforeAll(async () => {
  ;[gateway, backend, sandbox] = await Promise.all([startGatewayHarness(), startBackendHarness(), startTestSandbox()])
})
afterAll(() => Promise.all([gateway.close(), backend.close(), sandbox.close()]))

const DEEP = '['.repeat(MIB)
const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"${n}":0`).join(',')}`

/**
 * Announces more bytes than it sends, so an answer shows that the body was refused for the part that had arrived.
 */
async function answerToUnfinished(url: string, path: string, headers: Record<string, string>, sent: string) {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  const head = {
    host: `${hostname}:${port}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(sent) + 1_000),
    ...headers,
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  socket.write(sent)
  try {
    return await until('the refusal has arrived', () => /^HTTP\/1.1 (\d+) [\s\S]*\r\n\r\n.+/.exec(received)?.[0])
  } finally {
    socket.destroy()
  }
}

const key = () => ({ authorization: `Bearer ${gateway.key.raw}` })

describe('400, before the rest of the body has arrived', () => {
  test.each([
    ['a chat of nothing but brackets', CHAT, DEEP, 'nested more than'],
    ['a chat with too many members', CHAT, members(150_000), '100000 members'],
    ['embeddings of too many tokens', '/llm/v1/embeddings', `{"input":[${'1,'.repeat(600_000)}`, '500000 values'],
    ['a legacy completion of nothing but brackets', '/llm/v1/completions', DEEP, 'nested more than'],
    ['an MCP message of nothing but brackets', '/llm/v1/mcp', DEEP, 'nested more than'],
    ['an MCP message with too many members', '/llm/v1/mcp', members(25_000), '20000 values'],
    ['a text to parse with too many members beside it', '/llm/v1/parse/cv', members(25_000), '20000 values'],
  ])('%s', async (_, path, sent, message) => {
    const answer = await answerToUnfinished(gateway.url, path, key(), sent)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain(message)
    expect(answer).toContain('INVALID_REQUEST')
  })

  test.each([
    ['a GraphQL request of nothing but brackets', '/graphql', '['.repeat(10_000), 'nested more than'],
    ['a GraphQL request with too many members', '/graphql', members(25_000), '20000 values'],
    ['a payment event of nothing but brackets', '/payments/webhook', '['.repeat(10_000), 'nested more than'],
    ['a payment event with too many members', '/payments/webhook', members(35_000), '30000 values'],
  ])('%s', async (_, path, sent, message) => {
    // The bodies of callers that are unknown are smaller than these.
    const headers = { ...bearer(backend.admin.token), 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` }
    const answer = await answerToUnfinished(backend.url, path, headers, sent)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain(message)
  })

  test.each(['/v1/chat/completions', '/v1/completions', '/v1/embeddings'])(
    'a request of nothing but brackets to %s of the sandbox',
    async (path) => {
      const answer = await answerToUnfinished(sandbox.url, path, {}, DEEP)
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(answer).toContain('nested more than')
    },
  )
})
