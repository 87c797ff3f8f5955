import { once } from 'node:events'
import http2, { type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type MutingProxy, startMutingProxy } from '../../../../test/support/callers/mutingProxy.ts'
import { reusablePorts } from '../../../../test/support/processes/reusablePorts.ts'
import { ManualClock } from '../../../../test/support/time/manualClock.ts'
import { until } from '../../../../test/support/time/until.ts'
import type { GrpcCall } from './grpcCall.ts'
import { GrpcConnection } from './grpcConnection.ts'
import { framed, MessageReader } from './grpcMessages.ts'

const KEEP_ALIVE = { intervalMs: 10_000, timeoutMs: 5_000 }

let server: Http2Server
let port: number
let sessions: Set<unknown>
let clock: ManualClock
let connection: GrpcConnection
let proxy: MutingProxy | null
/** What the server does with a call. */
let serve: (stream: ServerHttp2Stream) => void

beforeEach(async () => {
  proxy = null
  const opened = new Set<unknown>()
  sessions = opened
  serve = () => {}
  server = http2.createServer()
  server.on('session', (session) => {
    opened.add(session)
    session.on('error', () => {})
    session.on('close', () => opened.delete(session))
  })
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    serve(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  clock = new ManualClock()
  connection = connect(port)
})
afterEach(async () => {
  connection.close()
  await proxy?.close()
  await new Promise((resolve) => server.close(resolve))
})

function connect(to: number): GrpcConnection {
  const options = { certificates: null, user: undefined, keepAlive: KEEP_ALIVE, clock, name: 'test' }
  return new GrpcConnection({ address: '127.0.0.1', port: to }, options)
}

/** An answered call through a proxy that can hold everything back from then on. */
async function echoedCall(): Promise<{ call: GrpcCall; mute: () => void }> {
  const between = await startMutingProxy(port)
  proxy = between
  serve = echo
  connection = connect(between.port)
  const call = connection.open('/some/method')
  call.write(Buffer.from('hello'))
  await once(call, 'data')
  return { call, mute: () => between.mute() }
}

/** Answers, and ends with the status once the caller has ended. */
function answering(status: string, messages: readonly Buffer[] = []): typeof serve {
  return (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status, 'grpc-message': 'no%20such%20thing' }))
    stream.resume()
    stream.on('end', () => stream.end(framed(messages)))
  }
}

const echo: typeof serve = (stream) => {
  stream.respond({ ':status': 200 })
  const reader = new MessageReader()
  stream.on('data', (chunk: Buffer) => void stream.write(framed(reader.read(chunk))))
}

const failureOf = (call: GrpcCall) => new Promise<Error>((resolve) => call.on('error', resolve))
const texts = (call: GrpcCall) => {
  const received: string[] = []
  call.on('data', (message) => received.push(message.toString()))
  return received
}

describe('a call', () => {
  test('receives the messages in order, and its end', async () => {
    serve = answering('0', [Buffer.from('one'), Buffer.from('two')])
    const call = connection.open('/some/method')
    const received = texts(call)
    call.end()
    await once(call, 'end')
    expect(received).toEqual(['one', 'two'])
  })

  test('sends all messages of one turn of the event loop at once', async () => {
    let chunks = 0
    serve = (stream) => {
      stream.on('data', () => chunks++)
      echo(stream)
    }
    const call = connection.open('/some/method')
    const received = texts(call)
    for (let n = 0; n < 100; n++) call.write(Buffer.from(`message ${n}`))
    await until('all of them are back', () => received.length === 100)
    expect(received).toEqual(Array.from({ length: 100 }, (_, n) => `message ${n}`))
    expect(chunks).toBe(1)
  })

  test('accepts no more while too much is unsent, and reports when it does again', async () => {
    serve = echo
    const call = connection.open('/some/method')
    call.on('data', () => {})
    expect(call.write(Buffer.alloc(100))).toBe(true)
    expect(call.write(Buffer.alloc(300_000))).toBe(false)
    await once(call, 'drain')
    expect(call.write(Buffer.alloc(100))).toBe(true)
  })

  test('fails with the status and the message of the server', async () => {
    serve = answering('7')
    const call = connection.open('/some/method')
    call.end()
    expect(await failureOf(call)).toMatchObject({ code: 7, message: '7 PERMISSION_DENIED: no such thing' })
  })

  test('fails with the HTTP status of a server that does not speak gRPC', async () => {
    serve = (stream) => stream.respond({ ':status': 401 }, { endStream: true })
    expect(await failureOf(connection.open('/some/method'))).toMatchObject({ code: 16 })
  })

  test('fails if the connection is lost', async () => {
    serve = (stream) => stream.session?.destroy()
    expect(await failureOf(connection.open('/some/method'))).toMatchObject({ code: 14 })
  })

  test('fails with the reason if there is no server', async () => {
    const [free] = await reusablePorts(1)
    const nowhere = connect(free ?? 0)
    const failure = await failureOf(nowhere.open('/some/method'))
    expect(failure).toMatchObject({
      code: 14,
      message: expect.stringMatching(/No connection established.*ECONNREFUSED/),
    })
  })

  test('that is canceled fails, even if the server does not react', async () => {
    const { call, mute } = await echoedCall()
    mute()
    const failure = failureOf(call)
    call.cancel()
    expect(await failure).toMatchObject({ code: 1 })
  })
})

describe('a connection', () => {
  test('is opened again by the next call after it was lost', async () => {
    serve = (stream) => stream.session?.destroy()
    await failureOf(connection.open('/some/method'))
    serve = answering('0', [Buffer.from('back')])
    expect((await connection.ask('/some/method', Buffer.alloc(0))).toString()).toBe('back')
  })

  test('that falls silent is abandoned, with its calls', async () => {
    const { call, mute } = await echoedCall()
    const failure = failureOf(call)
    await clock.advance(KEEP_ALIVE.intervalMs)
    call.write(Buffer.from('still there'))
    await once(call, 'data')
    mute()
    await clock.advance(KEEP_ALIVE.intervalMs)
    await clock.advance(KEEP_ALIVE.timeoutMs)
    expect(await failure).toMatchObject({ code: 14, message: expect.stringMatching(/no sign of life within 5000 ms/) })
  })

  test('that is retired finishes its calls, takes no others and closes', async () => {
    serve = echo
    const call = connection.open('/some/method')
    call.write(Buffer.from('before'))
    await once(call, 'data')
    connection.retire()
    expect(() => connection.open('/some/method')).toThrow(/given up/)
    call.write(Buffer.from('after'))
    await once(call, 'data')
    expect(sessions.size).toBe(1)
    call.cancel()
    await until('the connection is closed', () => sessions.size === 0)
  })
})
