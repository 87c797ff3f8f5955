import http, { type Agent } from 'node:http'
import { networkAgent } from '../../../../platform/http/networkAgent.ts'
import { signatureOf } from '../../../../services/sandbox/paymentProvider/events/deliveries.ts'
import type { ProviderEvent } from '../../../../services/sandbox/paymentProvider/state/records.ts'
import type { Random } from '../../scheduler/random.ts'
import type { SimulatedProcess } from '../../scheduler/simulatedProcess.ts'
import type { Simulation } from '../../simulation.ts'

const FIRST_RETRY_MS = 500
/** The real provider waits for hours in the end. */
const RETRY_MS_MAX = 8_000
const ANSWER_MS_MAX = 10_000
const LATE_MS_MAX = 25_000
const USUAL_MS_MAX = 200

export type PaymentEndpoint = { readonly host: string; readonly port: number; readonly secret: string }

/** Sends events to an installation until it acknowledges them: in any order, late, twice, or not at all. */
export class PaymentDeliveries {
  readonly #simulation: Simulation
  readonly #endpoint: PaymentEndpoint
  readonly #random: Random
  readonly #agent: Agent
  /** Events that were never sent. */
  readonly lost = new Set<string>()
  /** Ids of events that the installation has acknowledged. */
  readonly acknowledged = new Set<string>()
  pending = 0

  constructor(simulation: Simulation, owner: SimulatedProcess, endpoint: PaymentEndpoint) {
    this.#simulation = simulation
    this.#endpoint = endpoint
    this.#random = simulation.random('payment deliveries')
    this.#agent = networkAgent(simulation.network.of(owner))
  }

  /** Call it in the context of the provider's process. */
  send(event: ProviderEvent): void {
    const { faults } = this.#simulation
    if (faults.happens('payment event is lost')) {
      this.lost.add(event.id)
      return
    }
    this.#begin(event)
    if (faults.happens('payment event is repeated')) this.#begin(event)
  }

  #begin(event: ProviderEvent): void {
    this.pending += 1
    const isLate = this.#simulation.faults.happens('payment event is late')
    setTimeout(() => this.#attempt(event, 0), this.#random.fraction() * (isLate ? LATE_MS_MAX : USUAL_MS_MAX))
  }

  #attempt(event: ProviderEvent, retries: number): void {
    this.#post(event).then((isAcknowledged) => {
      if (!isAcknowledged) {
        setTimeout(() => this.#attempt(event, retries + 1), Math.min(FIRST_RETRY_MS * 2 ** retries, RETRY_MS_MAX))
        return
      }
      if (this.acknowledged.has(event.id)) this.#simulation.counters.hit('a payment event is acknowledged again')
      this.acknowledged.add(event.id)
      this.#simulation.counters.hit('a payment event is acknowledged')
      this.pending -= 1
    })
  }

  #post(event: ProviderEvent): Promise<boolean> {
    const { host, port, secret } = this.#endpoint
    const body = JSON.stringify(event, null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'stripe-signature': signatureOf(body, secret, Math.floor(Date.now() / 1_000)),
    }
    return new Promise((resolve) => {
      const request = http.request({
        host,
        port,
        path: '/payments/webhook',
        method: 'POST',
        headers,
        agent: this.#agent,
      })
      const overdue = setTimeout(() => request.destroy(), ANSWER_MS_MAX)
      const end = (isAcknowledged: boolean) => {
        clearTimeout(overdue)
        resolve(isAcknowledged)
      }
      request.on('response', (response) => {
        response.resume()
        response.on('end', () => end(response.statusCode === 200))
        response.on('error', () => end(false))
      })
      request.on('error', () => end(false))
      request.on('close', () => end(false))
      request.end(body)
    })
  }
}
