import net from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { call, send } from '../../../test/support/gatewayClient.ts'
import { openLog } from '../log/log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { sendJson } from './answers.ts'
import { type HttpServer, listen } from './httpServer.ts'
import { metricsRoute, serviceHandler } from './serviceRoutes.ts'

const servers: HttpServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.drain(100)
})

const TOKEN = 'the-internal-token'
const { log } = openLog({ level: 'silent', file: null })

async function serve(): Promise<string> {
  const handler = serviceHandler(
    {
      'GET /health': {
        access: 'public',
        handle: (_request, response) => sendJson(response, 200, { status: 'healthy' }),
      },
      'GET /inside': { access: 'internal', handle: (_request, response) => sendJson(response, 200, {}) },
      'GET /fault': {
        access: 'public',
        handle: () => {
          throw new Error('secret detail')
        },
      },
      'GET /late-fault': {
        access: 'public',
        handle: async (_request, response) => {
          response.writeHead(200).write('half')
          throw new Error('secret detail')
        },
      },
      'GET /metrics': metricsRoute(createMetrics()),
    },
    TOKEN,
    log,
  )
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT' })
  servers.push(server)
  return server.url
}

test('an idle connection is kept for longer than proxies and clients keep theirs', async () => {
  const response = await send(await serve(), '/health', { headers: { connection: 'keep-alive' } })
  response.resume()
  expect(response.headers['keep-alive']).toBe('timeout=75')
})

describe("a service's routes", () => {
  test('are found by method and path, whatever the query', async () => {
    const url = await serve()
    expect(await call(url, '/health?verbose=1')).toMatchObject({ status: 200, json: { status: 'healthy' } })
    for (const [method, path] of [
      ['POST', '/health'],
      ['GET', '/health/'],
      ['GET', '/'],
      ['GET', '/constructor'],
    ]) {
      expect((await call(url, path ?? '', { method })).status).toBe(404)
    }
  })

  test('that are internal need the internal token', async () => {
    const url = await serve()
    const inside = async (path: string, key: string | null, headers = {}) =>
      (await call(url, path, { key, headers })).status
    for (const path of ['/inside', '/metrics']) {
      expect(await inside(path, null)).toBe(401)
      expect(await inside(path, `${TOKEN}x`)).toBe(401)
      expect(await inside(path, TOKEN.slice(0, -1))).toBe(401)
      expect(await inside(path, null, { authorization: TOKEN })).toBe(401)
      expect(await inside(path, TOKEN)).toBe(200)
    }
  })

  test('that fail answer 500 without the reason, or break off what has begun', async () => {
    const url = await serve()
    const answer = await call(url, '/fault')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret')
    await expect(call(url, '/late-fault')).rejects.toThrow()
    expect((await call(url, '/health')).status).toBe(200)
  })

  test('have figures in the form of Prometheus', async () => {
    const url = await serve()
    const { headers, text } = await call(url, '/metrics', { key: TOKEN })
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toMatch(/^process_cpu_seconds_total \d/m)
  })
})

describe('a port that cannot be had stops the start with its setting', () => {
  const attempt = (host: string, port: number) =>
    listen({ handler: () => {}, host, port, portSetting: 'GATEWAY_PORT' }).then(
      () => 'it was taken',
      (error: Error) => `${error.name}: ${error.message}`,
    )

  test('because it is taken', async () => {
    const other = net.createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as net.AddressInfo
    expect(await attempt('127.0.0.1', port)).toMatch(
      new RegExp(`^SettingError: GATEWAY_PORT: port ${port} .* is taken`),
    )
    other.close()
  })

  test.each(['203.0.113.1', 'no-such-host.invalid'])('because HOST %s is none of this machine', async (host) => {
    expect(await attempt(host, 0)).toMatch(/^SettingError: HOST: /)
  })
})
