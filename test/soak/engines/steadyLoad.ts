import type http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { chat, type Outcome } from '../../crash/chatCall.ts'
import type { SeededRandom } from '../../support/cases/seededRandom.ts'
import type { AnswerScript } from '../../support/parties/recordingProvider.ts'
import { callerAgent } from './callerAgent.ts'
import type { SoakKey } from './customers.ts'

/** A call as its caller saw it, with where it went and when. Times are of Date.now. */
export type SoakCall = Outcome & { readonly gateway: number; readonly sentAt: number; readonly endedAt: number }

const TICK_MS = 10
/** Three times as long as a charge of unknown outcome is pursued. */
const CALL_MS_MAX = 30_000
const IN_FLIGHT_MAX = 8_000
const LIFE_MS = { min: 10, max: 120 }

/**
 * Sends calls at a steady rate, whether or not earlier ones have ended, so that a slow stack gets no fewer of them. They
 * rotate over the gateways and the keys; every second one is streamed.
 */
export class Load {
  /** The finished calls. */
  readonly calls: SoakCall[] = []
  rate: number
  inFlight = 0
  /** Calls not sent because too many were in flight. */
  unsent = 0
  readonly #gateways: readonly string[]
  readonly #keys: readonly SoakKey[]
  readonly #name: string
  readonly #random: SeededRandom
  readonly #agents: readonly http.Agent[]
  #sent = 0
  #running: Promise<void> | null = null
  #ending = false

  constructor(name: string, gateways: readonly string[], keys: readonly SoakKey[], rate: number, random: SeededRandom) {
    this.#name = name
    this.#gateways = gateways
    this.#keys = keys
    this.rate = rate
    this.#random = random
    this.#agents = gateways.map(() => callerAgent())
  }

  begin(): void {
    this.#running = this.#run()
  }

  /** No call begins any more; resolves when the last one has ended. */
  async end(): Promise<void> {
    this.#ending = true
    await this.#running
    while (this.inFlight > 0) await wait(TICK_MS)
    for (const agent of this.#agents) agent.destroy()
  }

  async #run(): Promise<void> {
    let due = 0
    let lastAt = performance.now()
    while (!this.#ending) {
      await wait(TICK_MS)
      const now = performance.now()
      due += ((now - lastAt) * this.rate) / 1000
      lastAt = now
      for (; due >= 1; due--) {
        if (this.inFlight < IN_FLIGHT_MAX) void this.#call()
        else this.unsent++
      }
    }
  }

  async #call(): Promise<void> {
    const n = this.#sent++
    const gateway = n % this.#gateways.length
    const agent = this.#agents[gateway]
    // Out of step with the gateways, so that each key is used at each of them.
    const key = this.#keys[Math.floor(n / this.#gateways.length) % this.#keys.length]
    if (!agent || !key) throw new Error('there is no gateway, or no key')
    const streamed = n % 2 === 0
    const demo = { gatewayUrl: `${this.#gateways[gateway]}/llm/v1`, apiKey: key.apiKey }
    const script = this.#script(`${this.#name} ${n}`, streamed)
    const signal = AbortSignal.timeout(CALL_MS_MAX)
    const sentAt = Date.now()
    this.inFlight++
    const outcome = await chat({ demo, agent, script, streamed, signal })
    this.inFlight--
    this.calls.push({ ...outcome, gateway, sentAt, endedAt: Date.now() })
  }

  #script(marker: string, streamed: boolean): AnswerScript {
    const lifeMs = this.#random.between(LIFE_MS.min, LIFE_MS.max)
    const pieces = 3
    return {
      marker,
      thinkMs: Math.floor(lifeMs / 2),
      pieces,
      pieceMs: Math.floor(lifeMs / 2 / (streamed ? pieces : 1)),
    }
  }
}
