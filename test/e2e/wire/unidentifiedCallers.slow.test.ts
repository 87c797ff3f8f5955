import { once } from 'node:events'
import net from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { BODY_GRACE_MS, UNIDENTIFIED_REQUESTS_MAX } from '../../../platform/http/limits/requestPlaces.ts'
import { GRAPHQL_UNIDENTIFIED_SOCKETS_MAX } from '../../../services/backend/graphql/sockets/socketPlaces.ts'
import type { HalfSent } from '../../support/callers/halfSentRequests.ts'
import { ATTACKER, FORGED_SIGNATURE, settled, UnidentifiedCallers } from '../../support/callers/unidentifiedCallers.ts'
import { type BackendHarness, startBackendHarness } from '../../support/harness/backendHarness.ts'
import { CHAT, call, chatBody } from '../../support/harness/gatewayClient.ts'
import { INTERNAL_TOKEN } from '../../support/harness/gatewayHarness.ts'
import { until } from '../../support/time/until.ts'
import { answering, EMPTY_CV, PARSE_CV } from '../parsingRequests.ts'

const MIB = 1024 * 1024
/** A busy machine takes long to open thousands of connections. */
const CONNECTIONS_MS_MAX = 120_000

const TARGETS: [string, HalfSent][] = [
  ['/graphql', { path: '/graphql' }],
  ['/graphql with an invalid token', { path: '/graphql', headers: ['authorization: Bearer nonsense'] }],
  ['/payments/webhook', { path: '/payments/webhook', headers: [FORGED_SIGNATURE] }],
]

/** While it is held, bodies of identified callers do not time out, because a busy machine needs long to open all of them. */
let graceEnds: Promise<void> = Promise.resolve()
const clock: Clock = {
  ...systemClock,
  after: (ms, callback) => {
    if (ms !== BODY_GRACE_MS) return systemClock.after(ms, callback)
    let isCanceled = false
    let timer = systemClock.after(ms, () => {
      void graceEnds.then(() => {
        if (!isCanceled) timer = systemClock.after(0, callback)
      })
    })
    return {
      cancel: () => {
        isCanceled = true
        timer.cancel()
      },
    }
  },
}

let backend: BackendHarness
let callers: UnidentifiedCallers
beforeAll(async () => {
  backend = await startBackendHarness({ env: { TRUST_PROXY: '1' }, clock })
  callers = new UnidentifiedCallers(backend)
})
afterEach(() => {
  callers.close()
})
afterAll(() => backend.close())

/** Collects garbage, so that only memory still in use is measured. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

const inFlight = async () => {
  const { text } = await call(backend.gatewayUrl, '/metrics', { key: INTERNAL_TOKEN })
  return Number(/^tollgate_gateway_requests_in_flight (\d+)$/m.exec(text)?.[1])
}

test('requests without a valid key are answered before their body, take no place in flight, and are closed', async () => {
  const kinds: [HalfSent, number][] = [
    [{ path: CHAT }, 401],
    [{ path: CHAT, headers: ['authorization: Bearer tg_unknown'] }, 401],
    [{ path: '/nothing' }, 404],
    [{ path: '/llm/v1/mcp' }, 401],
    [{ path: PARSE_CV, headers: ['content-type: multipart/form-data; boundary=b'] }, 401],
  ]
  const attacks = kinds.map(([request, status]) => {
    return { status, ...callers.attack(backend.gatewayUrl, 50, { ...request, address: ATTACKER }) }
  })
  for (const { answered, status } of attacks) await until('all are answered', () => answered(status) === 50)
  expect(await inFlight()).toBe(0)
  const requests = attacks.flatMap((one) => one.requests)
  for (const request of requests) expect(request.text()).toMatch(/^connection: close\r$/im)
  await until('all are closed', () => requests.every((request) => request.isClosed()))
})

test('5,010 connections without a key do not keep a valid key of another address from being served', async () => {
  const { requests, answered } = callers.attack(backend.gatewayUrl, 5_010, { path: CHAT, address: ATTACKER })
  await until('many of them are there', () => answered(401) > 1_000, CONNECTIONS_MS_MAX)
  const statuses = new Set<number>()
  while (requests.some((request) => !request.isClosed())) {
    statuses.add((await backend.call('/llm/v1/models', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status)
  }
  expect([...statuses]).toEqual([200])
})

test('half-sent calls of one company take half of the places in flight, and other companies are served', async () => {
  const key = await backend.mintKey(backend.companyId, { rpm: 100_000 })
  const other = await backend.mintKey(await backend.registerCompany({ credits: '100' }))
  const request = { path: CHAT, headers: [`authorization: Bearer ${key.raw}`] }
  const { promise, resolve: endGrace } = Promise.withResolvers<void>()
  graceEnds = promise
  onTestFinished(() => endGrace())
  const attacks: ReturnType<UnidentifiedCallers['attack']>[] = []
  for (let n = 0; n < 26; n++) {
    const wave = callers.attack(backend.gatewayUrl, 100, request)
    attacks.push(wave)
    await until('they are connected', () => wave.requests.every(({ socket }) => !socket.connecting), CONNECTIONS_MS_MAX)
  }
  const answered = (status: number) => attacks.reduce((sum, wave) => sum + wave.answered(status), 0)
  await until('those beyond the share are refused', () => answered(429) === 100, CONNECTIONS_MS_MAX)
  const refused = attacks.flatMap(({ requests }) => requests).find((one) => one.status() === 429)
  expect(refused?.text()).toMatch(/^retry-after: 1\r$/im)
  expect(refused?.text()).toContain('Too many requests of this company are in flight')
  expect(await inFlight()).toBe(2_500)
  expect((await call(backend.gatewayUrl, CHAT, { key: other.raw, body: chatBody() })).status).toBe(200)
  endGrace()
  await until('all are given up in the end', () => answered(408) === 2_500, CONNECTIONS_MS_MAX)
  await until('none is in flight', async () => (await inFlight()) === 0)
})

test('a half-sent body without credentials times out after five seconds, with the error envelope of its route', async () => {
  const graphql = callers.attack(backend.url, 1, { path: '/graphql' })
  const paymentEvents = callers.attack(backend.url, 1, { path: '/payments/webhook', headers: [FORGED_SIGNATURE] })
  await until('both are given up', () => graphql.answered(408) + paymentEvents.answered(408) === 2)
  expect(graphql.requests[0]?.text()).toMatch(/"code":"BAD_USER_INPUT"/)
  expect(paymentEvents.requests[0]?.text()).toMatch(/Webhook Error: The body did not arrive in time/)
})

test.each(TARGETS)('half-sent bodies to %s from many addresses: others are served', async (_, request) => {
  const addresses = 20
  const perAddress = UNIDENTIFIED_REQUESTS_MAX / addresses + 5
  const attacks = Array.from({ length: addresses }, (_address, n) =>
    callers.attack(backend.url, perAddress, { ...request, address: `203.0.113.${n}` }),
  )
  await until('the places are all taken', () => attacks.some(({ answered }) => answered(503) > 0))
  expect((await backend.ask('{ whoAmI { email } }', {}, backend.admin.token)).data).toBeTruthy()
  expect((await callers.logIn()).data.login.token).toEqual(expect.any(String))
  expect(await callers.paymentEvent()).toMatchObject({ status: 200 })
})

test('half-sent uploads of one company take a bounded part of the memory, and other companies are served', async () => {
  const other = await backend.mintKey(await backend.registerCompany({ credits: '100' }))
  const before = process.memoryUsage().arrayBuffers
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="cv.pdf"\r\n\r\n'
  const { requests, answered } = callers.attack(backend.gatewayUrl, 30, {
    path: PARSE_CV,
    headers: [`authorization: Bearer ${backend.key.raw}`, 'content-type: multipart/form-data; boundary=b'],
    sent: Buffer.concat([Buffer.from(head), Buffer.alloc(9 * MIB)]),
  })
  await until('all have been received or refused', () =>
    requests.every((request) => request.status() !== null || request.socket.writableLength === 0),
  )
  await until('some are refused', () => answered(429) > 0)
  // Refused ones are released a moment later. The others are kept for a minute.
  await until('the uploads take a bounded part of the memory', () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers - before < 220 * MIB
  })
  backend.provider.next((response) => void response.end(JSON.stringify(answering(EMPTY_CV))))
  const served = await call(backend.gatewayUrl, PARSE_CV, { key: other.raw, body: { text: 'A CV' } })
  expect(served.status).toBe(200)
})

describe('sockets without a token', () => {
  test('from many addresses fill the places of unidentified sockets only, and users are served', async () => {
    const sockets = Array.from({ length: GRAPHQL_UNIDENTIFIED_SOCKETS_MAX + 5 }, (_, n) =>
      callers.openSocket(`203.0.113.${n % 30}`),
    )
    await Promise.all(sockets.map(settled))
    expect(await callers.isServed('198.51.100.9')).toBe(true)
  })

  test('are closed with 4401 after three seconds, whether they have begun the protocol or not', async () => {
    const [silent, begun] = [callers.openSocket(ATTACKER), callers.openSocket(ATTACKER)]
    const closes = [silent, begun].map((socket) => new Promise<number>((resolve) => socket.once('close', resolve)))
    await new Promise((resolve) => begun.once('open', resolve))
    begun.send(JSON.stringify({ type: 'connection_init' }))
    // The protocol has a code of its own for a socket that does not begin.
    expect(await Promise.all(closes)).toEqual([4408, 4401])
  })

  test('are cut if their client does not answer the close frame', async () => {
    const { hostname, port } = new URL(backend.url)
    const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const head = [
      'GET /graphql HTTP/1.1',
      `host: ${hostname}`,
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
      'sec-websocket-protocol: graphql-transport-ws',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(answer.toString()).toMatch(/^HTTP\/1.1 101 /)
    socket.resume()
    socket.on('error', () => {})
    const beganMs = performance.now()
    await once(socket, 'end')
    socket.destroy()
    // Without the cut, the library waits for thirty seconds.
    expect(performance.now() - beganMs).toBeLessThan(25_000)
  })
})
