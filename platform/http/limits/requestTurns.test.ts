import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { duplexPair } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/time/until.ts'
import { type Handler, type HttpServer, type ListenOptions, listen } from '../httpServer.ts'
import { RequestPace, UNIDENTIFIED_REQUESTS_PER_WINDOW } from './requestPace.ts'
import { RequestTurns, SENT_AHEAD_BYTES_MAX } from './requestTurns.ts'
import { markIdentified } from './unidentifiedConnections.ts'

const servers: HttpServer[] = []
const sockets: net.Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.drain(100)
})

async function serve(handler: Handler, options: Partial<ListenOptions> = {}): Promise<net.Socket> {
  const server = await listen({ handler, host: '127.0.0.1', port: 0, portSetting: 'AI_PORT', ...options })
  servers.push(server)
  return connect(server)
}

async function connect({ url }: HttpServer): Promise<net.Socket> {
  const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The requests that reached the server, and a way to answer them. */
function heldRequests() {
  const held: http.ServerResponse[] = []
  const handler: Handler = (request, response) => {
    request.resume()
    held.push(response)
  }
  return { held, handler, paths: () => held.map(({ req }) => req.url) }
}

const answerAll: Handler = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  response.end(`[${request.method} ${request.url} ${Buffer.concat(chunks)}]`)
}

function textOf(socket: net.Socket): () => string {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}

const answersIn = (text: string) => text.match(/\[.*?\]/gs) ?? []
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

/** Resolves after the server has read what was written: a later write on another connection is answered. */
async function untilRead(server = servers.at(-1) as HttpServer): Promise<void> {
  const probe = await connect(server)
  probe.write(get('/livez'))
  await once(probe, 'data')
  probe.write(get('/livez'))
  await once(probe, 'data')
}

describe('requests that are sent ahead', () => {
  test('wait until the one before is answered', async () => {
    const { held, handler, paths } = heldRequests()
    const caller = await serve(handler)
    caller.write(get('/1') + get('/2') + get('/3'))
    await untilRead()
    expect(paths()).toEqual(['/1'])
    held[0]?.end()
    await until('the second is handled', () => held.length === 2)
    await untilRead()
    expect(paths()).toEqual(['/1', '/2'])
  })

  test('are each answered, in their order', async () => {
    const caller = await serve(answerAll)
    const text = textOf(caller)
    const paths = Array.from({ length: 300 }, (_, n) => `/${n}`)
    caller.write(paths.map(get).join(''))
    await until('all are answered', () => answersIn(text()).length === paths.length)
    expect(answersIn(text())).toEqual(paths.map((path) => `[GET ${path} ]`))
  })

  test('let other connections be served in between', async () => {
    const order: string[] = []
    const caller = await serve((request, response) => {
      markIdentified(request.socket)
      order.push(request.url ?? '')
      response.end()
    })
    const other = await connect(servers[0] as HttpServer)
    other.write(get('/other'))
    caller.write(get('/many').repeat(1_000))
    await until('all are answered', () => order.length === 1_001)
    expect(order.indexOf('/other')).toBeLessThan(900)
  })

  test('are answered after the caller has ended its side', async () => {
    const caller = await serve(answerAll)
    const text = textOf(caller)
    caller.end(get('/1') + get('/2') + get('/3'))
    await once(caller, 'end')
    expect(answersIn(text())).toEqual(['[GET /1 ]', '[GET /2 ]', '[GET /3 ]'])
  })

  test('are kept up to 64 KiB, then the connection is closed', async () => {
    const { held, handler } = heldRequests()
    const caller = await serve(handler)
    caller.write(get('/1'))
    await until('the first is handled', () => held.length === 1)
    caller.write('x'.repeat(SENT_AHEAD_BYTES_MAX))
    await until('all is read', () => held[0]?.req.socket.bytesRead === get('/1').length + SENT_AHEAD_BYTES_MAX)
    expect(held[0]?.req.socket.destroyed).toBe(false)
    caller.write('x')
    await until('the connection is closed', () => held[0]?.destroyed === true)
    expect(held).toHaveLength(1)
  })

  test('do not hide that the caller has closed the connection', async () => {
    const { held, handler } = heldRequests()
    const caller = await serve(handler)
    caller.write(get('/1') + get('/2'))
    await until('the first is handled', () => held.length === 1)
    caller.resetAndDestroy()
    await until('its end is noticed', () => held[0]?.destroyed === true)
    expect(held).toHaveLength(1)
  })
})

describe('a request is read as a whole, however its bytes are split', () => {
  const CHUNKED = 'transfer-encoding: chunked\r\n\r\n'
  const stream = [
    get('/1'),
    'POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: 14\r\n\r\na\r\n\r\nb\r\n\r\n[]cd',
    `POST /3 HTTP/1.1\r\nhost: a\r\n${CHUNKED}6\r\n1\r\n\r\n2\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n`,
    `POST /4 HTTP/1.1\r\nhost: a\r\n${CHUNKED}1\r\nx\r\n0\r\ntrailer: t\r\n\r\n`,
    'POST /5 HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n',
    '\r\n\r\n',
    get('/6'),
  ].join('')

  test.each([1, 2, 3, 5, 7, 11, stream.length])('into pieces of %i bytes', async (bytes) => {
    const caller = await serve(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.end(`<${request.url} ${JSON.stringify(Buffer.concat(chunks).toString())}>`)
    })
    const text = textOf(caller)
    for (let at = 0; at < stream.length; at += bytes) {
      caller.write(stream.slice(at, at + bytes))
      await new Promise(setImmediate)
    }
    await until('all are answered', () => text().includes('</6 ""'))
    expect(text().match(/<.*?>/g)).toEqual([
      '</1 "">',
      '</2 "a\\r\\n\\r\\nb\\r\\n\\r\\n[]cd">',
      ...['</3 "1\\r\\n\\r\\n2\\r\\n\\r\\n">', '</4 "x">', '</5 "">', '</6 "">'],
    ])
  })

  test('a large body that is read slowly arrives complete', async () => {
    const body = 'b'.repeat(3_000_000)
    const caller = await serve(async (request, response) => {
      let bytes = 0
      for await (const chunk of request) {
        bytes += chunk.length
        await new Promise(setImmediate)
      }
      response.end(`[${bytes}]`)
    })
    const text = textOf(caller)
    caller.write(`POST /1 HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}${get('/2')}`)
    await until('both are answered', () => answersIn(text()).length === 2)
    expect(answersIn(text())).toEqual(['[3000000]', '[0]'])
  })

  test('what follows an upgrade belongs to the new protocol', async () => {
    let head = ''
    const caller = await serve(() => {}, {
      onUpgrade: (_, socket, bytes) => {
        sockets.push(socket as net.Socket)
        head += bytes
        socket.on('data', (chunk) => {
          head += chunk
        })
      },
    })
    caller.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nfirst\r\n\r\n')
    await until('the first bytes are there', () => head.length > 0)
    caller.write('second')
    await until('the next bytes are there', () => head.endsWith('second'))
    expect(head).toBe('first\r\n\r\nsecond')
  })
})

describe('requests of one network without identity', () => {
  const CLOCK = { now: Date.now, monotonicMs: () => 0, delay: async () => {}, after: () => ({ cancel: () => {} }) }
  const manual = () => {
    const ticks: (() => void)[] = []
    const every = (_ms: number, tick: () => void) => {
      ticks.push(tick)
      return { cancel: () => {} }
    }
    const tick = () => {
      for (const each of ticks) each()
    }
    return { clock: { ...CLOCK, every }, tick }
  }
  const MANY = 3 * UNIDENTIFIED_REQUESTS_PER_WINDOW

  test('beyond the pace wait for the next window, and probes do not', async () => {
    const { clock, tick } = manual()
    const served: string[] = []
    const caller = await serve(
      (request, response) => {
        served.push(request.url ?? '')
        response.end()
      },
      { clock },
    )
    caller.write(get('/').repeat(MANY))
    await until('the window is used up', () => served.length === UNIDENTIFIED_REQUESTS_PER_WINDOW)
    await untilRead()
    expect(served).toHaveLength(UNIDENTIFIED_REQUESTS_PER_WINDOW)
    tick()
    await until('the next one is used up', () => served.length === 2 * UNIDENTIFIED_REQUESTS_PER_WINDOW)
  })

  test('do not delay identified callers of the same network', async () => {
    const { clock } = manual()
    const served: string[] = []
    const caller = await serve(
      (request, response) => {
        if (request.url === '/identified') markIdentified(request.socket)
        served.push(request.url ?? '')
        response.end()
      },
      { clock },
    )
    const identified = await connect(servers[0] as HttpServer)
    identified.write(get('/identified'))
    await until('it is identified', () => served.length === 1)
    caller.write(get('/').repeat(MANY))
    await until('the window is used up', () => served.length === UNIDENTIFIED_REQUESTS_PER_WINDOW)
    identified.write(get('/again'))
    await until('it is served', () => served.includes('/again'))
  })

  test('count together for all addresses of an IPv6 network', async () => {
    const { clock } = manual()
    const served: string[] = []
    const turns = new RequestTurns(new RequestPace(clock))
    const server = http.createServer((request, response) => {
      turns.began(request)
      response.once('close', () => turns.ended(request))
      served.push(request.url ?? '')
      response.end()
    })
    turns.keepOn(server)
    const send = (remoteAddress: string, path: string) => {
      const [caller, socket] = duplexPair()
      server.emit('connection', Object.assign(socket, { remoteAddress }))
      caller.resume().write(get(path).repeat(UNIDENTIFIED_REQUESTS_PER_WINDOW))
    }
    send('2001:db8::1', '/first')
    await until('the window is used up', () => served.length === UNIDENTIFIED_REQUESTS_PER_WINDOW)
    send('2001:db8::2', '/same')
    send('2001:db8:0:1::1', '/other')
    await until('another network is served', () => served.length === 2 * UNIDENTIFIED_REQUESTS_PER_WINDOW)
    expect(served).not.toContain('/same')
  })

  test.each([
    ['identified callers', {}, true],
    ['trusted proxies', { trustedProxies: 1 }, false],
  ])('%s are exempt', async (_, options, identifies) => {
    const { clock } = manual()
    let served = 0
    const caller = await serve(
      (request, response) => {
        if (identifies) markIdentified(request.socket)
        served++
        response.end()
      },
      { clock, ...options },
    )
    caller.write(get('/').repeat(MANY))
    await until('all are served', () => served === MANY)
  })
})
