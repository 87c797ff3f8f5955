import { once } from 'node:events'
import type http from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { KeptConnection } from '../../../test/support/callers/keptConnection.ts'
import { until } from '../../../test/support/time/until.ts'
import { type HttpServer, listen } from '../httpServer.ts'

const SILENT_MS = 5
const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(100)
})

/** Calls back when an answer was sent and the connection is idle. */
async function startServer(afterAnswer: (request: http.IncomingMessage) => void): Promise<KeptConnection> {
  const handler = (request: http.IncomingMessage, response: http.ServerResponse) => {
    response.once('finish', () => afterAnswer(request))
    const answer = () => response.end(`answer of ${request.url}`)
    // Later, so that a connection that is closed after its request was read is noticed.
    if (request.url === '/second') setTimeout(answer, 1)
    else answer()
  }
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
  servers.push(server)
  return KeptConnection.open(server.url)
}

/** Nothing else in this process runs meanwhile, so its timers are overdue afterwards. */
function stall(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('a request that arrives during a stall is answered although its idle connection has timed out by then', async () => {
  const caller = await startServer(({ socket, url }) => {
    if (url !== '/first') return
    socket.setTimeout(SILENT_MS)
    caller.ask('/second')
    stall(2 * SILENT_MS)
  })
  caller.ask('/first')
  await until('the connection is used again or closed', () => /second/.test(caller.received) || caller.socket.closed)
  expect(caller.received).toContain('answer of /second')
  caller.socket.destroy()
})

test('a connection on which nothing arrives is closed when it times out', async () => {
  const caller = await startServer(({ socket }) => void socket.setTimeout(SILENT_MS))
  caller.ask('/')
  await once(caller.socket, 'close')
  expect(caller.received).toContain('answer of /')
})
