import { once } from 'node:events'
import type http from 'node:http'
import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import type { Clock } from '../clock/clock.ts'
import { markEventStream } from './halfClosed.ts'
import { type Handler, type HttpServer, listen } from './httpServer.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(100)
})

/** How long the server waits before it sends a half-closed caller an interim response. */
const FIRST_PROBE_MS = 1_000
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

async function serve(handler: Handler, clock?: Clock): Promise<net.Socket> {
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT', clock })
  servers.push(server)
  const { hostname, port } = new URL(server.url)
  const socket = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** All that a connection receives until the server ends it. */
function received(socket: net.Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  return once(socket, 'end').then(() => Buffer.concat(chunks).toString())
}

/** A handler whose response the test answers. */
function heldResponse(begin: (response: http.ServerResponse) => void = () => {}) {
  const { promise, resolve } = Promise.withResolvers<http.ServerResponse>()
  const handler: Handler = (request, response) => {
    request.resume()
    begin(response)
    resolve(response)
  }
  return { handler, response: promise }
}

function beginEvents(response: http.ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  markEventStream(response)
  response.write('data: 1\n\n')
}

/** Resolves once the server has noticed that the caller ended its side. */
const ended = ({ req }: http.ServerResponse) => until('the caller has ended its side', () => req.socket.readableEnded)

describe('a caller that ends its side after its request', () => {
  test('is answered, and the connection is closed after that', async () => {
    const { handler, response } = heldResponse()
    const caller = await serve(handler, new ManualClock())
    caller.end(GET)
    const answer = received(caller)
    await ended(await response)
    ;(await response).end('the answer')
    expect(await answer).toMatch(/^HTTP\/1.1 200 [\s\S]*the answer$/)
  })

  test('is answered after an interim response if the answer takes a while', async () => {
    const { handler, response } = heldResponse()
    const clock = new ManualClock()
    const caller = await serve(handler, clock)
    caller.end(GET)
    const answer = received(caller)
    await ended(await response)
    const announced = once(caller, 'data')
    await clock.advance(FIRST_PROBE_MS)
    const [interim] = await announced
    expect(interim.toString()).toBe('HTTP/1.1 102 Processing\r\n\r\n')
    ;(await response).end('the answer')
    expect(await answer).toMatch(/Processing\r\n\r\nHTTP\/1.1 200 [\s\S]*the answer$/)
  })

  test('gets every event of a stream', async () => {
    const { handler, response } = heldResponse(beginEvents)
    const caller = await serve(handler)
    caller.end(GET)
    const answer = received(caller)
    await ended(await response)
    ;(await response).end('data: 2\n\n')
    expect(await answer).toMatch(/data: 1\n\n[\s\S]*data: 2\n\n/)
  })

  test('is sent nothing but the answer by HTTP/1.0, which has no interim responses', async () => {
    const { handler, response } = heldResponse()
    const clock = new ManualClock()
    const caller = await serve(handler, clock)
    caller.end('GET / HTTP/1.0\r\n\r\n')
    const answer = received(caller)
    await ended(await response)
    await clock.advance(2 * FIRST_PROBE_MS)
    ;(await response).end('the answer')
    expect(await answer).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('a caller that closes its connection is noticed', () => {
  test.each([
    ['before the answer begins', heldResponse()],
    ['in a stream in which nothing happens', heldResponse(beginEvents)],
  ])('%s', async (_, { handler, response }) => {
    const caller = await serve(handler)
    caller.write(GET)
    const { socket } = (await response).req
    caller.destroy()
    await once(await response, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('in the middle of its body', async () => {
    const { handler, response } = heldResponse()
    const caller = await serve(handler)
    caller.end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf')
    const { req } = await response
    req.on('error', () => {})
    await new Promise((resolve) => req.once('close', resolve))
    expect(req.complete).toBe(false)
  })
})
