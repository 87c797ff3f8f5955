import { createHmac } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'

export const HOOKS_HOST = 'hooks.example'
const LATE_MS_MAX = 15_000

export type ReceivedMessage = {
  readonly id: string
  readonly body: string
  /** What is wrong with its signature, or null. */
  readonly fault: string | null
  /** Whether the sender was to be told that it arrived. */
  readonly accepted: boolean
}

/** The systems of companies that get messages, one for each path. They refuse, answer late or not at all by the plan. */
export class WebhookReceivers {
  readonly #simulation: Simulation
  readonly #received = new Map<string, ReceivedMessage[]>()
  readonly #secrets = new Map<string, string>()

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    const server = http.createServer((request, response) => this.#receive(request, response))
    simulation.network.listenHttp(new SimulatedProcess(HOOKS_HOST), server)
  }

  /** Everything that arrived at an address, whether it was accepted or not. */
  at(path: string): readonly ReceivedMessage[] {
    return this.#received.get(path) ?? []
  }

  get paths(): readonly string[] {
    return [...this.#received.keys()]
  }

  /** Messages to the address must be signed with this secret from now on. */
  trust(path: string, secret: string): void {
    this.#secrets.set(path, secret)
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { faults, counters } = this.#simulation
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      const isRefused = faults.happens('webhook is refused')
      const body = Buffer.concat(chunks).toString()
      const id = String(request.headers['webhook-id'])
      const fault = this.#faultOf(path, request, id, body)
      const known = this.#received.get(path) ?? []
      if (known.some((message) => message.id === id)) counters.hit('a message to a webhook arrives again')
      counters.hit('a message to a webhook arrives')
      this.#received.set(path, [...known, { id, body, fault, accepted: !isRefused }])
      const answer = () => response.writeHead(isRefused ? 500 : 204).end()
      if (faults.happens('webhook answer is lost')) request.socket.destroy()
      else if (faults.happens('webhook answer is late'))
        setTimeout(answer, this.#simulation.random(id).fraction() * LATE_MS_MAX)
      else answer()
    })
  }

  /** By the specification, without its library: v1 and the HMAC of id, time and body under the secret. */
  #faultOf(path: string, { headers }: IncomingMessage, id: string, body: string): string | null {
    const secret = this.#secrets.get(path)
    if (secret === undefined) return null
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`
    const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    return headers['webhook-signature'] === expected ? null : `${headers['webhook-signature']} is not ${expected}`
  }
}
