import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { forwardingLog } from '../../../../platform/logger/logger.ts'
import { publishLinesTo } from '../../../../platform/logger/logLines.ts'
import { type BackendHarness, bearer, startBackendHarness } from '../../../../test/support/harness/backendHarness.ts'
import { steppedClock } from '../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../test/support/time/until.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12))
let backend: BackendHarness
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
})
const sockets: WebSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})
afterAll(() => backend.close())

type Headers = Readonly<Record<string, string>>

/** A socket as a browser opens it: with the Origin of its page and with the cookies of this server. */
function open(headers: Headers) {
  const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers })
  sockets.push(socket)
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  const received: any[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  const refused = new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
  const opened = new Promise((resolve) => socket.once('open', resolve))
  const say = (message: object) => socket.send(JSON.stringify(message))
  const heard = (type: string) => until(type, () => received.find((message) => message.type === type))
  const begin = async (payload: object = {}) => {
    await opened
    say({ type: 'connection_init', payload })
    await heard('connection_ack')
  }
  const ask = async (query: string) => {
    say({ type: 'subscribe', id: '1', payload: { query } })
    return (await heard('next')).payload
  }
  return { socket, begin, say, heard, ask, refused }
}

const WHO = '{ whoAmI { email } }'
const cookieOf = async (person: BackendHarness['admin']) => ({ cookie: (await backend.signIn(person)).cookie ?? '' })

test('a socket of a page of this server is signed in by the cookie of the session', async () => {
  const { begin, ask } = open({ ...(await cookieOf(backend.admin)), origin: backend.url })
  await begin()
  expect((await ask(WHO)).data.whoAmI.email).toBe(backend.admin.email)
})

test('the token of the connection parameters wins over the cookie', async () => {
  const { begin, ask } = open({ ...(await cookieOf(backend.admin)), origin: backend.url })
  const { authorization = '' } = bearer(await backend.tokenOf(backend.superAdmin))
  await begin({ authorization })
  expect((await ask(WHO)).data.whoAmI.email).toBe(backend.superAdmin.email)
})

test.each<[string, Headers]>([
  ['another port of the host', { origin: 'http://127.0.0.1:4003' }],
  ['another site', { origin: 'https://elsewhere.example' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
])('a socket of a page of %s is refused with 403, with a cookie and with a token', async (_, page) => {
  const token = await backend.tokenOf(backend.admin)
  expect(await open({ ...(await cookieOf(backend.admin)), ...page }).refused).toBe(403)
  expect(await open({ ...bearer(token), ...page }).refused).toBe(403)
})

test('a subscription ends soon after its session was ended', async () => {
  const session = await backend.signIn(backend.superAdmin)
  const { begin, say, heard } = open({ cookie: session.cookie ?? '', origin: backend.url })
  await begin()
  const { logFanOut } = backend.runtime.engines.sharedState
  const log = forwardingLog('info', publishLinesTo(logFanOut, 'gateway'))
  say({ type: 'subscribe', id: '1', payload: { query: 'subscription { logStream { message } }' } })
  await until('somebody watches', () => logFanOut.hasReaders)
  log.info('first')
  expect((await heard('next')).payload.data.logStream.message).toBe('first')
  await fetch(`${backend.url}/session`, { method: 'DELETE', headers: session })
  clock.advance(60_000)
  log.info('second')
  expect((await heard('error')).payload).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
})
