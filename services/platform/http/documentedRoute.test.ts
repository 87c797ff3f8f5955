import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type CallOptions, call } from '../../../test/support/gatewayClient.ts'
import { openLog } from '../log/log.ts'
import { RouteRefusal, route, SERVICE_BODY_BYTES_MAX, serviceRoutesOf } from './documentedRoute.ts'
import { type HttpServer, listen } from './httpServer.ts'
import { openApiOf } from './openApi.ts'
import { serviceHandler } from './serviceRoutes.ts'

const add = route({
  method: 'POST',
  path: '/add',
  access: 'public',
  tag: 'Sums',
  summary: 'Adds',
  query: z.strictObject({ times: z.coerce.number().default(1) }),
  body: z.strictObject({ a: z.number(), b: z.number() }),
  answer: z.object({ sum: z.number() }),
  refusals: { 409: 'Too much' },
  handle: ({ query: { times }, body: { a, b } }) => {
    if (a + b > 100) throw new RouteRefusal(409, 'too much', { 'retry-after': '7' })
    return { sum: times * (a + b) }
  },
})

let server: HttpServer
beforeAll(async () => {
  const handler = serviceHandler(serviceRoutesOf([add]), 'token', openLog({ level: 'silent', file: null }).log)
  server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'TEST_PORT' })
})
afterAll(() => server.drain(100))
const send = (path: string, options: CallOptions) => call(server.url, path, options)

test('query and body are checked by their schemas and given on as these read them', async () => {
  expect((await send('/add?times=3', { body: { a: 1, b: 2 } })).json).toEqual({ sum: 9 })
  expect((await send('/add', { body: { a: 1, b: 2 } })).json).toEqual({ sum: 3 })
})

test.each([
  ['a field of another kind', '/add', { a: '1', b: 2 }, /'a'/],
  ['a field too many', '/add', { a: 1, b: 2, c: 3 }, /c/],
  ['a parameter that is none', '/add?x=1', { a: 1, b: 2 }, /x/],
  ['no JSON', '/add', 'nonsense', /not JSON/],
])('%s is refused by name', async (_what, path, body, message) => {
  const answer = await send(path, { body })
  expect(answer.status).toBe(400)
  expect(answer.json.error).toMatch(message)
})

test('a body that is too large or compressed is refused', async () => {
  expect((await send('/add', { body: 'x'.repeat(SERVICE_BODY_BYTES_MAX + 1) })).status).toBe(413)
  expect((await send('/add', { body: '{}', headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
})

test('a handler refuses with a status of its own', async () => {
  const answer = await send('/add', { body: { a: 99, b: 2 } })
  expect(answer.status).toBe(409)
  expect(answer.json).toEqual({ error: 'too much' })
  expect(answer.headers['retry-after']).toBe('7')
})

test('the documentation is made of the same schemas', () => {
  const { paths } = openApiOf([add], { title: 'Sums', description: '' })
  expect(paths?.['/add']?.post).toMatchObject({
    operationId: 'postAdd',
    security: [],
    parameters: [{ name: 'times', in: 'query' }],
    requestBody: { content: { 'application/json': { schema: { required: ['a', 'b'] } } } },
    responses: { 200: {}, 400: {}, 409: { description: 'Conflict: Too much' }, 413: {}, 415: {}, 500: {} },
  })
})
