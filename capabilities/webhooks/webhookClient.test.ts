import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import {
  answering,
  neverAnswering,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../test/support/parties/webhookReceiver.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { until } from '../../test/support/time/until.ts'
import { dnsAddresses, WEBHOOK_ATTEMPT_MS, WebhookClient, type WebhookClientOptions } from './webhookClient.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const BODY = '{"type":"balance.low","data":{"name":"Zürich 東京"}}'
const SANDBOX = { allowsPrivate: true, allowsHttp: true }
const NO_PRIVATE = { allowsPrivate: false, allowsHttp: true }

let receiver: WebhookReceiver
let path = 0
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => {
  path++
})
afterAll(() => receiver.close())

const client = (options: Partial<WebhookClientOptions> = {}) =>
  new WebhookClient({ clock: systemClock, rules: SANDBOX, ...options })
const send = (of: WebhookClient, url = `${receiver.url}/${path}`, signal = new AbortController().signal) =>
  of.send({ url, messageId: 'msg-1', body: BODY, secret: SECRET }, signal)
const arrived = () => receiver.at(`/${path}`)

test('a message carries the headers of the specification, and its receiver can verify it', async () => {
  expect(await send(client())).toEqual({ status: 204 })
  const [message] = arrived()
  if (!message) throw new Error('no message arrived')
  expect(message.body).toBe(BODY)
  expect(message.headers).toMatchObject({ 'webhook-id': 'msg-1', 'content-type': 'application/json' })
  expect(new Webhook(SECRET).verify(message.body, message.headers)).toEqual(JSON.parse(BODY))
  const tampered = message.body.replace('low', 'high')
  expect(() => new Webhook(SECRET).verify(tampered, message.headers)).toThrow()
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  expect(() => new Webhook(other).verify(message.body, message.headers)).toThrow()
})

test('a message leaves over the connection that the network opens to the checked address', async () => {
  const asked: unknown[] = []
  const { port } = new URL(receiver.url)
  const over = client({
    rules: { allowsPrivate: false, allowsHttp: true },
    resolve: async () => ['93.184.215.14'],
    connect: (to, done) => {
      asked.push(to)
      const socket = connect(Number(port), '127.0.0.1', () => done(null, socket))
    },
  })
  expect(await send(over, `http://hooks.example:81/${path}`)).toEqual({ status: 204 })
  expect(asked).toEqual([{ hostname: '93.184.215.14', port: '81' }])
  expect(arrived()).toHaveLength(1)
})

describe('the answer of the receiver', () => {
  test.each([200, 400, 410, 500, 503])('with status %i is reported', async (status) => {
    receiver.answer(`/${path}`, answering(status))
    expect(await send(client())).toEqual({ status })
  })

  test('that redirects is reported and not followed', async () => {
    receiver.answer(`/${path}`, answering(307, { location: `${receiver.url}/target` }))
    expect(await send(client())).toEqual({ status: 307 })
    expect(receiver.at('/target')).toEqual([])
  })

  test('is not read beyond its headers, however long it is', async () => {
    const closed = Promise.withResolvers<void>()
    receiver.answer(`/${path}`, (response) => {
      response.on('close', closed.resolve)
      const write = (): void => {
        if (!response.destroyed) response.write(Buffer.alloc(65_536), () => setImmediate(write))
      }
      write()
    })
    expect(await send(client())).toEqual({ status: 200 })
    await closed.promise
  })

  test('with too many headers counts as no answer', async () => {
    receiver.answer(`/${path}`, answering(200, { 'x-filler': 'a'.repeat(20_000) }))
    expect(await send(client())).toMatchObject({ status: null, error: expect.stringContaining('HEADERS') })
  })

  test('that does not come ends the attempt when its time is up, along with the connection', async () => {
    const closed = Promise.withResolvers<void>()
    receiver.answer(`/${path}`, (response) => response.on('close', closed.resolve))
    const clock = new ManualClock()
    const sending = send(client({ clock }))
    await until('the message arrived', () => arrived().length === 1)
    clock.advance(WEBHOOK_ATTEMPT_MS)
    expect(await sending).toEqual({ status: null, error: `no answer within ${WEBHOOK_ATTEMPT_MS} ms` })
    await closed.promise
  })

  test('is not awaited after the attempt was canceled', async () => {
    receiver.answer(`/${path}`, neverAnswering)
    const canceling = new AbortController()
    const sending = send(client(), undefined, canceling.signal)
    await until('the message arrived', () => arrived().length === 1)
    canceling.abort()
    expect(await sending).toMatchObject({ status: null })
  })

  test('of a host that refuses connections is reported by its code only', async () => {
    const gone = await startWebhookReceiver()
    await gone.close()
    const error = 'the receiver could not be reached (ECONNREFUSED)'
    expect(await send(client(), `${gone.url}/`)).toEqual({ status: null, error })
  })
})

describe('the address of the receiver', () => {
  const REFUSED = { status: null, error: 'the host has no public address' }
  const named = () => `http://hooks.example:${receiver.port}/${path}`

  test('is resolved once, checked and connected to; the host header keeps the name', async () => {
    const lookups: string[] = []
    const resolve = async (name: string) => {
      lookups.push(name)
      // A name whose second answer differs, like an attacker's. Nothing listens there.
      return lookups.length === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    expect(await send(client({ resolve }), named())).toEqual({ status: 204 })
    expect(lookups).toEqual(['hooks.example'])
    expect(arrived()[0]?.headers.host).toBe(`hooks.example:${receiver.port}`)
  })

  test.each([['127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['::ffff:127.0.0.1'], ['0.0.0.0'], []])(
    'is refused if the name resolves to %s only',
    async (...addresses: string[]) => {
      expect(await send(client({ rules: NO_PRIVATE, resolve: async () => addresses }), named())).toEqual(REFUSED)
      expect(arrived()).toEqual([])
    },
  )

  test('is refused if it is private and written in the url', async () => {
    expect(await send(client({ rules: NO_PRIVATE }))).toEqual(REFUSED)
    expect(await send(client({ rules: NO_PRIVATE }), `http://[::1]:${receiver.port}/${path}`)).toEqual(REFUSED)
    expect(arrived()).toEqual([])
  })

  test('that cannot be resolved is reported by its code', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('getaddrinfo of 10.0.0.53'), { code: 'ENOTFOUND' }))
    const error = 'the receiver could not be reached (ENOTFOUND)'
    expect(await send(client({ resolve }), named())).toEqual({ status: null, error })
  })

  test('is not resolved for longer than an attempt may take', async () => {
    const clock = new ManualClock()
    const lookup = Promise.withResolvers<void>()
    const resolve = () => {
      lookup.resolve()
      return new Promise<string[]>(() => {})
    }
    const sending = send(client({ clock, resolve }), named())
    await lookup.promise
    clock.advance(WEBHOOK_ATTEMPT_MS)
    expect(await sending).toMatchObject({ status: null, error: expect.stringContaining('no answer within') })
  })
})

describe('a name', () => {
  test('is looked up in DNS, and has the addresses of both kinds', async () => {
    const server = await startNameServer({ A: Buffer.from([192, 0, 2, 7]), AAAA: null })
    expect(await dnsAddresses('hooks.example', [server.address])).toEqual(['192.0.2.7'])
    const both = await startNameServer({ A: Buffer.from([192, 0, 2, 7]), AAAA: Buffer.alloc(16, 0x20) })
    expect(await dnsAddresses('hooks.example', [both.address])).toEqual([
      '192.0.2.7',
      '2020:2020:2020:2020:2020:2020:2020:2020',
    ])
  })

  test('without an address is reported by its code', async () => {
    const server = await startNameServer({ A: null, AAAA: null })
    await expect(dnsAddresses('hooks.example', [server.address])).rejects.toMatchObject({ code: 'ENODATA' })
  })

  test('of this machine needs no DNS', async () => {
    expect(await send(client(), `http://localhost:${receiver.port}/${path}`)).toEqual({ status: 204 })
  })
})

/** A name server that returns these addresses for every name, until the test ends. */
async function startNameServer(records: Readonly<Record<'A' | 'AAAA', Buffer | null>>) {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const nameEnd = question.indexOf(0, 12) + 1
    const type = question.readUInt16BE(nameEnd)
    const record = type === 1 ? records.A : records.AAAA
    const header = Buffer.from(question.subarray(0, 12))
    // A successful answer to one question, with one record or none.
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt32BE(0x0001_0000 + (record ? 1 : 0), 4)
    header.writeUInt32BE(0, 8)
    const answer = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 1, 0, record?.length ?? 0])
    const questionEntry = question.subarray(12, nameEnd + 4)
    socket.send(Buffer.concat([header, questionEntry, ...(record ? [answer, record] : [])]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    socket.close()
  })
  return { address: `127.0.0.1:${socket.address().port}` }
}

test('a url without TLS is refused outside a sandbox, even if it was accepted before', async () => {
  const rules = { allowsPrivate: true, allowsHttp: false }
  expect(await send(client({ rules }))).toEqual({ status: null, error: 'the url is not https' })
  expect(arrived()).toEqual([])
})
