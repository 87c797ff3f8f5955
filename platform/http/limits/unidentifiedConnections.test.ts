import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../test/support/time/until.ts'
import { limitUnidentified, markIdentified } from './unidentifiedConnections.ts'

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

function connect(from = '127.0.0.1'): net.Socket {
  const { port } = server.address() as net.AddressInfo
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

test('an address that has too many connections without identity gets no further one, another address does', async () => {
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
