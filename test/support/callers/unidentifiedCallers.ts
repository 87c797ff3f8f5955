import { WebSocket } from 'ws'
import { type BackendHarness, PASSWORD } from '../harness/backendHarness.ts'
import { deliver, providerEvent, signed } from '../parties/paymentEventDelivery.ts'
import { until } from '../time/until.ts'
import { type HalfSent, halfSentRequests } from './halfSentRequests.ts'

export const ATTACKER = '198.51.100.7'

/** A well-formed signature header that does not match. */
export const FORGED_SIGNATURE = `stripe-signature: t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`

/** Unauthenticated callers that attack a backend behind a proxy, and legitimate callers at the same time. */
export class UnidentifiedCallers {
  readonly #backend: BackendHarness
  readonly #opened: { close(): void }[] = []

  constructor(backend: BackendHarness) {
    this.#backend = backend
  }

  attack(url: string, count: number, request: HalfSent) {
    const requests = halfSentRequests(url, count, request)
    this.#opened.push(requests)
    return requests
  }

  openSocket(address: string, protocols = 'graphql-transport-ws'): WebSocket {
    const headers = { 'x-forwarded-for': address }
    const socket = new WebSocket(`${this.#backend.url.replace('http', 'ws')}/graphql`, protocols, { headers })
    this.#opened.push({ close: () => socket.terminate() })
    socket.on('error', () => {})
    return socket
  }

  /** Whether a user gets an answer over a new socket. */
  async isServed(address: string): Promise<boolean> {
    const socket = this.openSocket(address)
    await new Promise((resolve) => socket.once('open', resolve))
    const { promise, resolve } = Promise.withResolvers<boolean>()
    socket.on('message', (data) => {
      const { type } = JSON.parse(String(data))
      if (type === 'next') resolve(true)
      if (type !== 'connection_ack') return
      socket.send(JSON.stringify({ type: 'subscribe', id: 'a', payload: { query: '{ whoAmI { email } }' } }))
    })
    socket.on('close', () => resolve(false))
    const payload = { authorization: `Bearer ${this.#backend.superAdmin.token}` }
    socket.send(JSON.stringify({ type: 'connection_init', payload }))
    return promise
  }

  /** A signed delivery of the payment provider. */
  paymentEvent() {
    const body = JSON.stringify(providerEvent('invoice.paid', { id: 'in_1' }))
    return deliver(this.#backend.url, body, signed(body, Math.floor(Date.now() / 1_000)))
  }

  logIn() {
    const login = 'mutation ($password: String!) { login(email: "admin@first.example", password: $password) { token } }'
    return this.#backend.ask(login, { password: PASSWORD })
  }

  /** Closes everything that the test has opened. */
  close(): void {
    for (const one of this.#opened.splice(0)) one.close()
  }
}

export async function settled(socket: WebSocket): Promise<void> {
  await until('the socket is open or refused', () => socket.readyState !== WebSocket.CONNECTING)
}
