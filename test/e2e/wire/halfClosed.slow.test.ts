import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BackendHarness, startBackendHarness } from '../../support/harness/backendHarness.ts'
import { CHAT, chatBody } from '../../support/harness/gatewayClient.ts'
import { providerEvent, signed } from '../../support/parties/paymentEventDelivery.ts'
import {
  completion,
  DONE,
  finishes,
  says,
  stalled,
  streamed,
  usageBlock,
  whole,
} from '../../support/parties/scriptedProvider.ts'
import { until } from '../../support/time/until.ts'

let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness()
})
afterAll(() => backend.close())

type Sent = { readonly path: string; readonly body: string; readonly headers?: readonly string[] }

function connect(url: string, { path, body, headers = [] }: Sent) {
  const { hostname, port } = new URL(url)
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => {})
  const length = `content-length: ${Buffer.byteLength(body)}`
  const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', 'content-type: application/json', length, ...headers]
  return { socket, text: `${head.join('\r\n')}\r\n\r\n${body}` }
}

/** Sends the whole request and the end of this side, and returns the final response. */
async function answerTo(url: string, sent: Sent): Promise<string> {
  const { socket, text } = connect(url, sent)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.end(text)
  await once(socket, 'end')
  return answer.replaceAll('HTTP/1.1 102 Processing\r\n\r\n', '')
}

const keyed = (sent: Sent): Sent => ({
  ...sent,
  headers: ['accept: application/json, text/event-stream', `authorization: Bearer ${backend.key.raw}`],
})
const PLAIN = { path: CHAT, body: JSON.stringify(chatBody()) }
const STREAM = { path: CHAT, body: JSON.stringify(chatBody({ stream: true })) }

describe('a request whose caller ends its side of the connection is answered', () => {
  test('a plain call, which is charged', async () => {
    backend.provider.next(whole(completion()))
    const answer = await answerTo(backend.gatewayUrl, keyed(PLAIN))
    expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*x-credits-charged/)
  })

  test('a stream, to its end', async () => {
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>()
    backend.provider.next(streamed(says('Good '), pause, says('day.'), finishes(), usageBlock(), DONE))
    const answer = answerTo(backend.gatewayUrl, keyed(STREAM))
    await backend.call('/llm/v1/models')
    goOn()
    expect(await answer).toMatch(/^HTTP\/1.1 200 [\s\S]*Good [\s\S]*day\.[\s\S]*\[DONE\]/)
  })

  test('a refusal, a tool, a GraphQL operation and a payment event', async () => {
    expect(await answerTo(backend.gatewayUrl, PLAIN)).toMatch(/^HTTP\/1.1 401 /)
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    expect(await answerTo(backend.gatewayUrl, keyed({ path: '/llm/v1/mcp', body: ping }))).toMatch(/^HTTP\/1.1 200 /)
    const query = JSON.stringify({ query: '{ __typename }' })
    expect(await answerTo(backend.url, { path: '/graphql', body: query })).toMatch(/^HTTP\/1.1 200 [\s\S]*"Query"/)
    const body = JSON.stringify(providerEvent('invoice.paid', { id: 'in_1' }))
    const headers = [`stripe-signature: ${signed(body, Math.floor(Date.now() / 1_000))}`]
    expect(await answerTo(backend.url, { path: '/payments/webhook', body, headers })).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('a caller that closes its connection without a reset is noticed: the provider call is aborted, nothing is charged', () => {
  test.each([
    ['before its answer', PLAIN, stalled()],
    ['in a stream in which nothing happens', STREAM, streamed(says('Good '), new Promise(() => {}))],
  ])('%s', async (_, sent, script) => {
    const before = backend.provider.calls.length
    backend.provider.next(script)
    const { socket, text } = connect(backend.gatewayUrl, keyed(sent))
    socket.resume()
    socket.write(text)
    await until('the call is at the provider', () => backend.provider.calls.length > before)
    const upstream = backend.provider.lastCall()
    if (sent === STREAM) await until('the stream has begun', () => socket.bytesRead > 0)
    socket.destroy()
    const ending = await backend.ending(String(upstream.headers['x-request-id']))
    expect(ending).toMatchObject({ type: 'CallFailed', data: { reason: 'client_left' } })
    await until('the provider is let go', () => upstream.closed)
  })
})
