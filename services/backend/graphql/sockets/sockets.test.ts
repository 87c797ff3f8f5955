import { type Client, createClient } from 'graphql-ws'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { forwardingLog, type Log } from '../../../../platform/logger/logger.ts'
import { publishLinesTo } from '../../../../platform/logger/logLines.ts'
import { LOG_READERS_MAX } from '../../../../platform/sharedState/logReaders.ts'
import type { LogFanOut } from '../../../../platform/sharedState/port.ts'
import { type BackendHarness, startBackendHarness } from '../../../../test/support/harness/backendHarness.ts'
import { steppedClock } from '../../../../test/support/time/steppedClock.ts'
import { until } from '../../../../test/support/time/until.ts'
import { startBackend } from '../../backend.ts'
import { GRAPHQL_BODY_BYTES_MAX } from '../limits/bodyLimit.ts'
import { GRAPHQL_OPERATIONS_PER_SOCKET_MAX, sent } from './sockets.ts'

const clock = steppedClock(Date.UTC(2026, 5, 1, 12))
let backend: BackendHarness
let fanOut: LogFanOut
/** A log whose lines go to all subscribers, as each service's log does. */
let log: Log
const clients: Client[] = []
const sockets: WebSocket[] = []
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
  fanOut = backend.runtime.engines.sharedState.logFanOut
  log = forwardingLog('info', publishLinesTo(fanOut, 'gateway'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose()
  for (const socket of sockets.splice(0)) socket.terminate()
  await until('no reader is left behind', () => !fanOut.hasReaders)
})
afterAll(() => backend.close())

const LOG_STREAM = 'subscription { logStream { timestamp level message context } }'
const url = () => `${backend.url.replace('http', 'ws')}/graphql`

function connect(connectionParams: Record<string, unknown> = {}): Client {
  const client = createClient({ url: url(), webSocketImpl: WebSocket, connectionParams, retryAttempts: 0, lazy: true })
  clients.push(client)
  return client
}

const asSuperAdmin = () => connect({ authorization: `Bearer ${backend.superAdmin.token}` })
const watched = () => until('somebody watches', () => fanOut.hasReaders)

/** The entries of a subscription to the log, and how it ended. */
function watch(client: Client, query = LOG_STREAM) {
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  const entries: any[] = []
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  const leave = client.subscribe(
    { query },
    {
      next: ({ data, errors }) => (errors ? resolve(errors) : entries.push(data?.logStream)),
      error: resolve,
      complete: () => resolve('complete'),
    },
  )
  return { entries, ended, leave }
}

/** A raw socket that need not follow the protocol. */
async function rawSocket(headers: Record<string, string> = {}) {
  const socket = new WebSocket(url(), 'graphql-transport-ws', { headers })
  sockets.push(socket)
  // biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
  const received: any[] = []
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  const say = (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const heard = (type: string, id?: string) =>
    until(`a message of type ${type}`, () => received.find((message) => message.type === type && message.id === id))
  return { socket, say, heard, closed, received }
}

describe('logStream', () => {
  test('shows a super admin log entries as services write them', async () => {
    const { entries, leave } = watch(asSuperAdmin())
    await watched()
    log.info({ room: 7 }, 'first')
    log.child({ part: 'x' }).error('second')
    await until('both are there', () => entries.length === 2)
    expect(entries).toEqual([
      {
        timestamp: expect.stringMatching(/Z$/),
        level: 'info',
        message: 'first',
        context: { service: 'gateway', room: 7 },
      },
      { timestamp: expect.any(String), level: 'error', message: 'second', context: { service: 'gateway', part: 'x' } },
    ])
    leave()
    await until('a reader who left is gone, although nothing is logged', () => !fanOut.hasReaders)
  })

  test('accepts the token in the header of the upgrade request', async () => {
    const { say, heard } = await rawSocket({ authorization: `Bearer ${backend.superAdmin.token}` })
    say({ type: 'connection_init' })
    await heard('connection_ack')
    say({ type: 'subscribe', id: 'a', payload: { query: LOG_STREAM } })
    await watched()
    log.info('hello')
    expect((await heard('next', 'a')).payload.data.logStream.message).toBe('hello')
  })

  test.each([
    ['without a token', () => ({}), 'UNAUTHENTICATED'],
    ['with an invalid token', () => ({ authorization: 'Bearer nonsense' }), 'UNAUTHENTICATED'],
    ['with the token of a company admin', () => ({ authorization: `Bearer ${backend.admin.token}` }), 'FORBIDDEN'],
  ])('is refused %s', async (_, params, code) => {
    const { ended, entries } = watch(connect(params()))
    expect(await ended).toMatchObject([{ extensions: { code } }])
    expect(entries).toEqual([])
  })

  test('is not served over HTTP', async () => {
    const { code, errors } = await backend.ask(LOG_STREAM, {}, backend.superAdmin.token)
    expect(code).toBe('BAD_USER_INPUT')
    expect(errors?.[0].message).toMatch(/WebSocket/)
  })

  test('ends when its token expires', async () => {
    const { entries, ended } = watch(asSuperAdmin())
    await watched()
    log.info('in time')
    await until('it is seen', () => entries.length === 1)
    clock.advance(3_600_000)
    log.info('too late')
    expect(await ended).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
    expect(entries).toHaveLength(1)
    clock.advance(-3_600_000)
  })

  test('a reader that is too slow gets the number of lost entries, and the buffer keeps its limit', async () => {
    const { socket, say, heard, received } = await rawSocket({ authorization: `Bearer ${backend.superAdmin.token}` })
    say({ type: 'connection_init' })
    await heard('connection_ack')
    say({ type: 'subscribe', id: 'a', payload: { query: LOG_STREAM } })
    await watched()
    socket.pause()
    const entries = 20_000
    for (let n = 0; n < entries; n++) {
      log.info({ padding: 'x'.repeat(1_000) }, `entry ${n}`)
      if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    socket.resume()
    const seen = () => received.filter(({ type }) => type === 'next').map(({ payload }) => payload.data.logStream)
    await until('the last is seen', () => seen().some(({ message }) => message === `entry ${entries - 1}`))
    const losses = seen().filter(({ context }) => context.lost !== undefined)
    expect(losses.length).toBeGreaterThan(0)
    expect(losses[0]).toMatchObject({ level: 'warn', message: expect.stringMatching(/^\d+ entries were lost/) })
    const lost = losses.reduce((sum, { context }) => sum + context.lost, 0)
    expect(lost + seen().length - losses.length).toBe(entries)
  })

  test('refuses one reader more than its limit', async () => {
    const others = Array.from({ length: LOG_READERS_MAX }, () => fanOut.subscribe())
    expect(await watch(asSuperAdmin()).ended).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }])
    for (const other of others) other.close()
  })

  test('never shows a secret', async () => {
    const { entries } = watch(asSuperAdmin())
    await watched()
    const secret = 'open-sesame'
    for (const name of ['password', 'token', 'apiKey', 'authorization', 'secret', 'STRIPE_SECRET_KEY']) {
      log.info({ [name]: secret, deep: [{ [name]: secret }] }, 'with secrets')
    }
    log.error({ err: new Error('refused: sk_test_51Habcdefghij') }, 'with Bearer open-sesame')
    await until('all are there', () => entries.length === 7)
    expect(JSON.stringify(entries)).not.toContain('51Habc')
    expect(JSON.stringify(entries)).not.toContain(secret)
  })
})

describe('a socket', () => {
  test('stays open after a syntax error or an invalid query, and its other operations go on', async () => {
    const { say, heard, socket } = await rawSocket({ authorization: `Bearer ${backend.superAdmin.token}` })
    say({ type: 'connection_init' })
    await heard('connection_ack')
    say({ type: 'subscribe', id: 'log', payload: { query: LOG_STREAM } })
    await watched()
    for (const [id, query] of [
      ['syntax', 'subscription { logStream {'],
      ['validation', 'subscription { logStream { nonsense } }'],
      ['deep', `{ __type(name: "A") { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} } }`],
    ]) {
      say({ type: 'subscribe', id, payload: { query } })
      const [error] = (await heard('error', id)).payload
      expect(error.extensions.code).toBe('BAD_USER_INPUT')
    }
    log.info('still here')
    expect((await heard('next', 'log')).payload.data.logStream.message).toBe('still here')
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  test('executes queries as HTTP does', async () => {
    const { say, heard } = await rawSocket()
    say({ type: 'connection_init', payload: { authorization: `Bearer ${backend.admin.token}` } })
    await heard('connection_ack')
    say({ type: 'subscribe', id: 'q', payload: { query: '{ whoAmI { email } }' } })
    expect((await heard('next', 'q')).payload.data.whoAmI.email).toBe(backend.admin.email)
    await heard('complete', 'q')
  })

  test('refuses more than GRAPHQL_OPERATIONS_PER_SOCKET_MAX operations at a time', async () => {
    const { say, heard } = await rawSocket({ authorization: `Bearer ${backend.superAdmin.token}` })
    say({ type: 'connection_init' })
    await heard('connection_ack')
    for (let n = 0; n <= GRAPHQL_OPERATIONS_PER_SOCKET_MAX; n++) {
      say({ type: 'subscribe', id: `s${n}`, payload: { query: LOG_STREAM } })
    }
    const [error] = (await heard('error', `s${GRAPHQL_OPERATIONS_PER_SOCKET_MAX}`)).payload
    expect(error.extensions.code).toBe('RATE_LIMITED')
  })

  test.each([
    ['a message that is not JSON', 'nonsense', 4400],
    ['an operation before connection_init', '{"type":"subscribe","id":"a","payload":{"query":"{ __typename }"}}', 4401],
  ])('is closed by %s', async (_, message, code) => {
    const { say, closed } = await rawSocket()
    say(message)
    expect(await closed).toBe(code)
  })

  test('is closed by a message that is too large', async () => {
    const { say, closed } = await rawSocket()
    say('x'.repeat(GRAPHQL_BODY_BYTES_MAX + 1))
    expect(await closed).toBe(1009)
  })

  test('on another path than /graphql is refused with 404', async () => {
    const socket = new WebSocket(url().replace('/graphql', '/logs'), 'graphql-transport-ws')
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve))
    expect(error.message).toMatch(/404/)
  })
})

test('a drain closes every socket with 1001 and terminates those that do not answer in time', async () => {
  const alone = await startBackend(backend.runtime)
  const open = () => new WebSocket(`${alone.url?.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  const [polite, deaf] = [open(), open()]
  await Promise.all([polite, deaf].map((socket) => new Promise((resolve) => socket.once('open', resolve))))
  deaf.pause()
  deaf.on('error', () => {})
  const closed = new Promise<number>((resolve) => polite.once('close', resolve))
  await alone.drain(100)
  expect(await closed).toBe(1001)
  deaf.terminate()
})

test('input with a NUL is BAD_USER_INPUT over a socket too', async () => {
  const { ended } = watch(asSuperAdmin(), '{ parkedTasks(worker: "a\\u0000") { id } }')
  expect(await ended).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' }, message: expect.stringMatching(/NUL/) }])
})

describe('a socket that sends very many messages', () => {
  test.each([
    ['pings of the protocol', (socket: WebSocket) => socket.send('{"type":"ping"}')],
    ['pings of WebSocket', (socket: WebSocket) => socket.ping()],
    ['pongs of WebSocket', (socket: WebSocket) => socket.pong()],
    ['completions', (socket: WebSocket) => socket.send('{"type":"complete","id":"a"}')],
  ])('%s: a few are answered, and then it is closed', async (_, send) => {
    const { socket, closed, received } = await rawSocket()
    let pongs = 0
    socket.on('pong', () => {
      pongs++
    })
    for (let n = 0; n < 2_000; n++) send(socket)
    expect(await closed).toBe(1013)
    expect(received.length + pongs).toBeLessThan(20)
  })

  test('one message in very many frames: it is closed', async () => {
    const { socket, closed } = await rawSocket()
    for (let n = 0; n < 1_000; n++) socket.send('', { fin: false })
    expect(await closed).toBe(1008)
  })
})

test('a socket that sends many bytes is paused until the next second, while others are read', async () => {
  const signedIn = async () => {
    const socket = await rawSocket({ authorization: `Bearer ${backend.superAdmin.token}` })
    socket.say({ type: 'connection_init' })
    await socket.heard('connection_ack')
    return { ...socket, pongs: () => socket.received.filter(({ type }) => type === 'pong').length }
  }
  const [caller, other] = [await signedIn(), await signedIn()]
  const large = { type: 'ping', payload: { text: 'x'.repeat(0.9 * GRAPHQL_BODY_BYTES_MAX) } }
  for (let n = 0; n < 3; n++) caller.say(large)
  await until('the first message is answered', () => caller.pongs() > 0)
  for (let n = 1; n <= 20; n++) {
    other.say({ type: 'ping' })
    await until('another socket is answered', () => other.pongs() === n)
  }
  expect(caller.pongs()).toBeLessThan(3)
  await until('all are answered', () => caller.pongs() === 3)
})

test('a message to a client that has left does not fail its operation', async () => {
  const socket = {
    ...{ bufferedAmount: 0, readyState: WebSocket.OPEN, OPEN: WebSocket.OPEN, close: () => {} },
    send: (_text: unknown, done: unknown) => (done as (error: Error) => void)(new Error('write EPIPE')),
  }
  await expect(sent(socket, 'text')).resolves.toBeUndefined()
})
