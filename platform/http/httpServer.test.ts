import type http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { KeptConnection } from '../../test/support/callers/keptConnection.ts'
import { send } from '../../test/support/harness/gatewayClient.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import { type HttpServer, listen } from './httpServer.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(100)
})

test('an idle connection is kept longer than proxies and clients keep theirs', async () => {
  const handler = (_request: http.IncomingMessage, response: http.ServerResponse) => void response.end()
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
  servers.push(server)
  const response = await send(server.url, '/', { headers: { connection: 'keep-alive' } })
  response.resume()
  expect(response.headers['keep-alive']).toBe('timeout=75')
})

test('an idle connection keeps nothing of its last request', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const bodies: WeakRef<Buffer>[] = []
  const handler = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const body = Buffer.alloc(1_000)
    bodies.push(new WeakRef(body))
    request.resume().on('end', () => response.end(body))
    // Everything a handler knows of a request stays reachable through its response.
    response.once('finish', () => body.length)
    response.on('error', () => body.length)
  }
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
  servers.push(server)
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
  let received = 0
  socket.on('data', ({ length }) => {
    received += length
  })
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n{}')
  await until('the answer arrives', () => received > 1_000)
  await until('the body is collected', () => {
    collect()
    return bodies[0]?.deref() === undefined
  })
  expect(socket.readyState).toBe('open')
  socket.destroy()
})

test('a load balancer learns that a service is live, and that it is no longer ready once it drains', async () => {
  let drained: Promise<void> | undefined
  const handler = (_request: http.IncomingMessage, response: http.ServerResponse) => {
    drained = server.drain(10_000)
    response.end('the last answer')
  }
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
  for (const path of ['/livez', '/readyz']) {
    const response = await fetch(server.url + path)
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  }
  const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1')
  // Over one connection, because a draining service accepts no other.
  socket.write(['/', '/readyz'].map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''))
  expect(await text(socket)).toMatch(/the last answer.*HTTP\/1.1 503 .*connection: close.*\{"status":"draining"\}$/is)
  await drained
})

test('a server with a delay keeps serving, and says that it is not ready, until load balancers know', async () => {
  const clock = new ManualClock()
  const handler = (_request: http.IncomingMessage, response: http.ServerResponse) => void response.end('served')
  const address = { host: '127.0.0.1', port: 0, portSetting: 'GATEWAY_PORT' }
  const server = await listen({ handler, ...address, clock, drainDelayMs: 3_000 })
  const drained = server.drain(10_000)
  await clock.advance(2_999)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/livez`)).status).toBe(200)
  const call = await fetch(server.url)
  expect([await call.text(), call.headers.get('connection')]).toEqual(['served', 'close'])
  await clock.advance(1)
  await drained
  await expect(fetch(`${server.url}/livez`)).rejects.toThrow('fetch failed')
})

describe('a server that stops', () => {
  const handler = (request: http.IncomingMessage, response: http.ServerResponse) =>
    void response.end(`answer of ${request.url}`)
  const answered = async (connection: KeptConnection, path: string) => {
    connection.ask(path)
    await until('it is answered', () => connection.received.includes(`answer of ${path}`))
  }

  test('answers a request that has arrived over an idle connection before closing it', async () => {
    const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
    const caller = await KeptConnection.open(server.url)
    await answered(caller, '/first')
    caller.ask('/second')
    await server.drain(10_000)
    await until('the connection is closed', () => caller.socket.closed)
    expect(caller.received).toMatch(/connection: close.*answer of \/second$/is)
  })

  test('closes no idle connection while load balancers still send, whatever else ends', async () => {
    const clock = new ManualClock()
    const address = { host: '127.0.0.1', port: 0, portSetting: 'GATEWAY_PORT' }
    const server = await listen({ handler, ...address, clock, drainDelayMs: 3_000 })
    const idle = await KeptConnection.open(server.url)
    const other = await KeptConnection.open(server.url)
    await answered(idle, '/first')
    const drained = server.drain(10_000)
    await answered(other, '/other')
    await until('the other connection is closed', () => other.socket.closed)
    await answered(idle, '/second')
    await clock.advance(3_000)
    await drained
  })
})

describe('a port that cannot be bound stops the start and names its setting', () => {
  const attempt = (host: string, port: number) =>
    listen({ handler: () => {}, host, port, portSetting: 'GATEWAY_PORT' }).then(
      () => 'listening',
      (error: Error) => `${error.name}: ${error.message}`,
    )

  test('because another program listens on it', async () => {
    const other = net.createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as net.AddressInfo
    expect(await attempt('127.0.0.1', port)).toMatch(
      new RegExp(`^SettingError: GATEWAY_PORT: port ${port} .* is in use`),
    )
    other.close()
  })

  test.each(['203.0.113.1', 'no-such-host.invalid'])(
    'because HOST %s is not an address of this machine',
    async (host) => {
      expect(await attempt(host, 0)).toMatch(/^SettingError: HOST: /)
    },
  )
})
