import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../test/support/time/until.ts'
import { listen } from '../httpServer.ts'
import {
  limitUnidentified,
  markIdentified,
  UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX,
} from './unidentifiedConnections.ts'

const MAX = 3

let server: http.Server
const sockets: net.Socket[] = []
beforeEach(async () => {
  server = http.createServer((request, response) => {
    if (request.headers.authorization) markIdentified(request.socket)
    response.end('answered')
  })
  limitUnidentified(server, MAX)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

function connect(from = '127.0.0.1', port = (server.address() as net.AddressInfo).port): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** The answer to a request over the connection; empty if the connection was closed. */
async function ask(socket: net.Socket, headers = ''): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.write(`GET / HTTP/1.1\r\nhost: a\r\n${headers}\r\n`)
  await until('it is answered or closed', () => text.includes('answered') || socket.destroyed)
  return text
}

test('an address with too many unidentified connections gets no more; another address does', async () => {
  for (let n = 0; n < MAX; n++) expect(await ask(connect())).toContain('200 OK')
  expect(await ask(connect())).toBe('')
  expect(await ask(connect('127.0.0.2'))).toContain('200 OK')
})

test('connections whose caller is identified do not count', async () => {
  for (let n = 0; n < 3 * MAX; n++) expect(await ask(connect(), 'authorization: yes\r\n')).toContain('200 OK')
  expect(await ask(connect())).toContain('200 OK')
})

test('a connection that was closed no longer counts', async () => {
  const held = Array.from({ length: MAX }, () => connect())
  for (const socket of held) await ask(socket)
  held[0]?.destroy()
  await until('another connection is answered', async () => (await ask(connect())).includes('200 OK'))
})

test('the addresses of one IPv6 network count together', () => {
  const alone = new net.Server()
  limitUnidentified(alone, MAX)
  const connectFrom = (remoteAddress: string) => {
    const socket = Object.assign(new PassThrough(), { remoteAddress })
    alone.emit('connection', socket)
    return !socket.destroyed
  }
  for (let n = 0; n < MAX; n++) expect(connectFrom(`2001:db8::${n}`)).toBe(true)
  expect(connectFrom('2001:db8::ffff')).toBe(false)
  expect(connectFrom('2001:db8:0:1::1')).toBe(true)
})

test.each([
  ['holds on every server', {}, false],
  ['does not hold for the proxies in front of one', { trustedProxies: 1 }, true],
])('the limit %s', async (_, options, isServed) => {
  const handler = (_request: http.IncomingMessage, response: http.ServerResponse) => response.end('answered')
  const limited = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT', ...options })
  const port = Number(new URL(limited.url).port)
  const held = Array.from({ length: UNIDENTIFIED_CONNECTIONS_PER_ADDRESS_MAX }, () => connect('127.0.0.1', port))
  await Promise.all(held.map((socket) => once(socket, 'connect')))
  expect((await ask(connect('127.0.0.1', port))).includes('200 OK')).toBe(isServed)
  for (const socket of held) socket.destroy()
  await limited.drain(1_000)
})
