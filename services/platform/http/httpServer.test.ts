import type http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { send } from '../../../test/support/gatewayClient.ts'
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
  // Over one connection, because a service that drains accepts no other.
  socket.write(['/', '/readyz'].map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''))
  expect(await text(socket)).toMatch(/the last answer.*HTTP\/1.1 503 .*connection: close.*\{"status":"draining"\}$/is)
  await drained
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
