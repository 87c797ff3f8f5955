import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  GRAPHQL_UNIDENTIFIED_SOCKETS_MAX,
  GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX,
} from '../../services/backend/graphql/socketPlaces.ts'
import {
  UNIDENTIFIED_REQUESTS_MAX,
  UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX,
} from '../../services/platform/http/requestPlaces.ts'
import { type BackendHarness, PASSWORD, startBackendHarness } from '../support/backendHarness.ts'
import { type HalfSent, halfSentRequests } from '../support/halfSentRequests.ts'
import { until } from '../support/until.ts'
import { deliver, providerEvent, signed } from '../support/webhookDelivery.ts'

const ATTACKER = '198.51.100.7'

let backend: BackendHarness
const opened: { close(): void }[] = []
beforeAll(async () => {
  backend = await startBackendHarness({ env: { TRUST_PROXY: '1' } })
})
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(() => backend.close())

function attack(url: string, count: number, request: HalfSent) {
  const requests = halfSentRequests(url, count, request)
  opened.push(requests)
  return requests
}

const webhook = () => {
  const body = JSON.stringify(providerEvent('invoice.paid', { id: 'in_1' }))
  return deliver(backend.url, body, signed(body, Math.floor(Date.now() / 1_000)))
}
const logIn = () =>
  backend.ask('mutation ($password: String!) { login(email: "admin@first.example", password: $password) { token } }', {
    password: PASSWORD,
  })
describe('half-sent bodies without credentials', () => {
  const FORGED = [`stripe-signature: t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`]
  const TARGETS: [string, HalfSent][] = [
    ['/graphql', { path: '/graphql' }],
    ['/payments/webhook', { path: '/payments/webhook', headers: FORGED }],
  ]

  test.each(TARGETS)('to %s, more than all places from one address: others are served', async (_, request) => {
    const { answered } = attack(backend.url, UNIDENTIFIED_REQUESTS_MAX + 10, { ...request, address: ATTACKER })
    await until('all but the share of the address are refused', () => {
      return answered(429) === UNIDENTIFIED_REQUESTS_MAX + 10 - UNIDENTIFIED_REQUESTS_PER_ADDRESS_MAX
    })
    expect((await backend.ask('{ whoAmI { email } }', {}, backend.admin.token)).data).toBeTruthy()
    expect((await logIn()).data.login.token).toEqual(expect.any(String))
    expect(await webhook()).toMatchObject({ status: 200 })
  })

  test('a delivery that has no signature is refused before its body is read', async () => {
    const { requests, answered } = attack(backend.url, 1, { path: '/payments/webhook' })
    await until('it is refused', () => answered(400) === 1)
    expect(requests[0]?.text()).toContain('Webhook Error: No valid stripe-signature header')
  })
})

describe('sockets without a token', () => {
  const open = (address: string, protocols = 'graphql-transport-ws') => {
    const headers = { 'x-forwarded-for': address }
    const socket = new WebSocket(`${backend.url.replace('http', 'ws')}/graphql`, protocols, { headers })
    opened.push({ close: () => socket.terminate() })
    socket.on('error', () => {})
    return socket
  }
  const settled = (socket: WebSocket) =>
    until('the socket is open or refused', () => socket.readyState !== WebSocket.CONNECTING)

  /** Whether a user gets an answer over a new socket. */
  async function isServed(address: string): Promise<boolean> {
    const socket = open(address)
    await new Promise((resolve) => socket.once('open', resolve))
    const { promise, resolve } = Promise.withResolvers<boolean>()
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data))
      if (type === 'next') resolve(true)
      if (type !== 'connection_ack') return
      socket.send(JSON.stringify({ type: 'subscribe', id: 'a', payload: { query: '{ whoAmI { email } }' } }))
    })
    socket.on('close', () => resolve(false))
    const payload = { authorization: `Bearer ${backend.superAdmin.token}` }
    socket.send(JSON.stringify({ type: 'connection_init', payload }))
    return promise
  }

  test('from one address fill its places only, and users of any address are served', async () => {
    const sockets = Array.from({ length: GRAPHQL_UNIDENTIFIED_SOCKETS_MAX + 5 }, () => open(ATTACKER))
    await Promise.all(sockets.map(settled))
    await until('those beyond the share of the address are closed', () => {
      const left = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)
      return left.length <= GRAPHQL_UNIDENTIFIED_SOCKETS_PER_ADDRESS_MAX
    })
    expect(await isServed('203.0.113.9')).toBe(true)
    expect(await isServed(ATTACKER)).toBe(true)
  })
})
