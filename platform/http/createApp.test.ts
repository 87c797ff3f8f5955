import net from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallOptions, call } from '../../test/support/harness/gatewayClient.ts'
import { until } from '../../test/support/time/until.ts'
import { systemClock } from '../clock/clock.ts'
import { systemIds } from '../ids/ids.ts'
import { forwardingLog, openLog } from '../logger/logger.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { HttpError } from './answer/httpError.ts'
import { SENT, textReply } from './answer/reply.ts'
import { jsonBody, SERVICE_BODY_BYTES_MAX } from './body/bodyReaders.ts'
import { metricsRoute } from './commonRoutes/metricsRoute.ts'
import { openApiDocument } from './commonRoutes/openApiDocument.ts'
import { createApp } from './createApp.ts'
import { serviceGuards } from './guards.ts'
import { type HttpServer, listen } from './httpServer.ts'
import { InFlight } from './limits/inFlight.ts'
import { RequestPlaces, UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX } from './limits/requestPlaces.ts'
import { anyQuery, route } from './route.ts'

const TOKEN = 'internal-token'

const add = route({
  method: 'POST',
  path: '/add',
  access: 'public',
  tag: 'Sums',
  summary: 'Adds two numbers',
  query: z.strictObject({ times: z.coerce.number().default(1) }),
  body: jsonBody(z.strictObject({ a: z.number(), b: z.number() })),
  answer: z.object({ sum: z.number() }),
  refusals: { 409: 'Too much' },
  handle: ({ query: { times }, body: { a, b } }) => {
    if (a + b > 100) throw new HttpError(409, 'too much', { 'retry-after': '7' })
    return { sum: times * (a + b) }
  },
})
const things = route({
  method: 'GET',
  path: '/things/:id',
  access: 'public',
  tag: 'Things',
  summary: 'Shows a thing',
  query: anyQuery,
  handle: ({ params }) => textReply(200, `thing ${params.id}`),
})
const secret = route({
  method: 'GET',
  path: '/secret',
  access: 'internal',
  tag: 'Things',
  summary: 'Shows the secret',
  answer: z.object({ secret: z.number() }),
  handle: () => ({ secret: 42 }),
})
const broken = route({
  method: 'GET',
  path: '/broken',
  access: 'public',
  summary: 'Fails',
  handle: () => Promise.reject(new Error('the database password is hunter2')),
})
const brokenLate = route({
  method: 'GET',
  path: '/broken-late',
  access: 'public',
  summary: 'Fails after the answer has begun',
  handle: ({ response }) => {
    response.writeHead(200).write('half')
    return Promise.reject(new Error('the database password is hunter2'))
  },
})
const { promise: released, resolve: release } = Promise.withResolvers<void>()
const slow = route({
  method: 'GET',
  path: '/slow',
  access: 'internal',
  summary: 'Waits until the test lets it answer',
  inFlight: new InFlight(1),
  envelope: ({ status, message }) => textReply(status, `Slow Error: ${message}`),
  handle: async ({ response }) => {
    response.write('waiting')
    await released
    response.end()
    return SENT
  },
})
const { promise: served, resolve: serve } = Promise.withResolvers<void>()
const laborious = route({
  method: 'GET',
  path: '/laborious',
  access: 'public',
  takesPlace: true,
  summary: 'Works for anybody until the test lets it answer',
  handle: async () => {
    await served
    return { done: true }
  },
})
const ROUTES = [add, laborious, things, secret, broken, brokenLate, slow, metricsRoute(createMetrics())]

let server: HttpServer
let places: RequestPlaces
beforeAll(async () => {
  places = new RequestPlaces({ clock: systemClock })
  const handler = createApp({
    places,
    routes: ROUTES,
    guards: serviceGuards(TOKEN),
    clock: systemClock,
    ids: systemIds,
    log: openLog({ level: 'silent', file: null }).log,
  })
  server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'TEST_PORT' })
})
afterAll(() => server.drain(100))
const send = (path: string, options: CallOptions = {}) => call(server.url, path, options)

describe('200', () => {
  test('query and body reach the handler as parsed by their schemas', async () => {
    expect((await send('/add?times=3', { body: { a: 1, b: 2 } })).json).toEqual({ sum: 9 })
    expect((await send('/add', { body: { a: 1, b: 2 } })).json).toEqual({ sum: 3 })
  })

  test('a segment of the path reaches the handler decoded', async () => {
    expect((await send('/things/a%2Fb')).text).toBe('thing a/b')
  })

  test('every answer has its own x-request-id, and neither an etag nor x-powered-by', async () => {
    const [one, other] = [await send('/things/1'), await send('/things/1')]
    expect(one.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.headers['x-request-id']).not.toBe(other.headers['x-request-id'])
    expect(one.headers).not.toHaveProperty('etag')
    expect(one.headers).not.toHaveProperty('x-powered-by')
  })

  test('an internal route answers the internal token', async () => {
    expect((await send('/secret', { key: TOKEN })).json).toEqual({ secret: 42 })
  })
})

describe('400', () => {
  test.each([
    ['a field of the wrong type', '/add', { a: '1', b: 2 }, /'a'/],
    ['an unknown field', '/add', { a: 1, b: 2, c: 3 }, /c/],
    ['an unknown query parameter', '/add?x=1', { a: 1, b: 2 }, /x/],
    ['a body that is not JSON', '/add', 'nonsense', /not JSON/],
  ])('%s is named', async (_what, path, body, message) => {
    const answer = await send(path, { body })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatch(message)
  })

  test('a path that cannot be decoded', async () => {
    expect((await send('/things/%ff')).status).toBe(400)
  })
})

describe('401', () => {
  test.each([
    ['no token', {}],
    ['another token', { key: 'another-token' }],
    ['one character more', { key: `${TOKEN}x` }],
    ['one character less', { key: TOKEN.slice(0, -1) }],
    ['the token without its scheme', { headers: { authorization: TOKEN } }],
  ])('an internal route called with %s', async (_what, options) => {
    const answer = await send('/secret', options)
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })
})

describe('404', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/constructor'],
    ['GET', '/'],
    ['GET', '/Things/1'],
    ['GET', '/things/1/'],
    ['GET', '/%73ecret'],
    ['GET', '/add'],
    ['PUT', '/add'],
    ['OPTIONS', '/add'],
    ['OPTIONS', '*'],
    ['HEAD', '/things/1'],
  ])('%s %s', async (method, path) => {
    expect(await rawStatus(method, path)).toBe(404)
  })
})

test('409: a handler refuses with a status and headers of its own', async () => {
  const answer = await send('/add', { body: { a: 99, b: 2 } })
  expect(answer.status).toBe(409)
  expect(answer.json).toEqual({ error: 'too much' })
  expect(answer.headers['retry-after']).toBe('7')
})

test('413 and 415: a body that is too large or compressed', async () => {
  expect((await send('/add', { body: 'x'.repeat(SERVICE_BODY_BYTES_MAX + 1) })).status).toBe(413)
  expect((await send('/add', { body: '{}', headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
})

test('500: a fault of ours reveals nothing about its cause', async () => {
  expect(await send('/broken')).toMatchObject({ status: 500, json: { error: 'internal error' } })
})

test('an answer that has begun breaks off when its handler fails', async () => {
  await expect(send('/broken-late')).rejects.toThrow()
  expect((await send('/things/1')).status).toBe(200)
})

test('a client that disconnects is not logged as a failure, but a fault of ours is', async () => {
  const failures: unknown[] = []
  const reading = route({
    method: 'POST',
    path: '/reading',
    access: 'public',
    summary: 'Reads the body itself',
    handle: async ({ request }) => {
      try {
        for await (const _ of request);
      } catch (error) {
        failures.push(error)
        throw error
      }
      return SENT
    },
  })
  const lines: string[] = []
  const log = forwardingLog('debug', (line) => void lines.push(line))
  const guards = serviceGuards(TOKEN)
  const handler = createApp({ routes: [reading, broken], guards, clock: systemClock, ids: systemIds, log })
  const logged = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'TEST_PORT' })
  const { hostname, port } = new URL(logged.url)
  const socket = net.connect(Number(port), hostname)
  socket.write('POST /reading HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', () => socket.destroy())
  await until('the handler has failed', () => failures.length === 1)
  expect((await call(logged.url, '/broken')).status).toBe(500)
  expect(lines.map((line) => JSON.parse(line).path)).toEqual(['/broken'])
  await logged.drain(100)
})

test('/metrics is in the Prometheus text format', async () => {
  const { headers, text } = await send('/metrics', { key: TOKEN })
  expect(headers['content-type']).toMatch(/^text\/plain/)
  expect(text).toMatch(/^process_cpu_seconds_total \d/m)
})

test('503: one request more than a route serves at once, in the envelope of that route', async () => {
  const first = await fetch(`${server.url}/slow`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect((await send('/slow')).status).toBe(401)
  const refused = await send('/slow', { key: TOKEN })
  expect(refused).toMatchObject({ status: 503, text: expect.stringMatching(/^Slow Error: Too many requests/) })
  release()
  expect(await first.text()).toBe('waiting')
  expect((await send('/slow', { key: TOKEN })).status).toBe(200)
})

test('a route with an access that the service cannot check is refused at assembly', () => {
  const assemble = () =>
    createApp({
      routes: [{ ...secret, access: 'key' }],
      guards: serviceGuards(TOKEN),
      clock: systemClock,
      ids: systemIds,
      log: openLog({ level: 'silent', file: null }).log,
    })
  expect(assemble).toThrow(/no guard for the access key/)
})

test('the OpenAPI document is built from the same schemas', () => {
  const { paths } = openApiDocument(ROUTES, { title: 'Sums', description: '' })
  expect(Object.keys(paths ?? {})).toEqual(['/add', '/things/{id}', '/secret', '/metrics'])
  expect(paths?.['/add']?.post).toMatchObject({
    operationId: 'postAdd',
    security: [],
    parameters: [{ name: 'times', in: 'query' }],
    requestBody: { content: { 'application/json': { schema: { required: ['a', 'b'] } } } },
    responses: { 200: {}, 400: {}, 409: { description: 'Conflict: Too much' }, 413: {}, 415: {}, 500: {} },
  })
  expect(paths?.['/secret']?.get).toMatchObject({ security: [{ internalToken: [] }], responses: { 401: {} } })
})

/** The status of a request whose target is sent unchanged: clients would normalise it. */
function rawStatus(method: string, target: string): Promise<number> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname)
    socket.on('error', reject)
    socket.once('data', (bytes) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString())?.[1]))
      socket.destroy()
    })
    socket.write(`${method} ${target} HTTP/1.1\r\nhost: x\r\n\r\n`)
  })
}

test('429 when one address has too many requests to a public route that takes places, and 200 after them', async () => {
  const requests = Array.from({ length: UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX }, () => send('/laborious'))
  await until('all places of the address are taken', () => places.unidentified.count === requests.length)
  expect((await send('/laborious')).status).toBe(429)
  serve()
  expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set([200]))
  expect((await send('/laborious')).status).toBe(200)
})
