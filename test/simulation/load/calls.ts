import { Agent } from 'undici'
import type { WireName } from '../parties/modelAnswers.ts'
import type { Random } from '../scheduler/random.ts'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { HTTP_PORT } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import { answerText } from './answerText.ts'
import type { Attempt, CallerKey, Question } from './attempt.ts'
import { callRequest, endOfAnswer } from './callWires.ts'

const PAUSE_MS_MAX = 3_000
/** Calls with one key at the same time compete for what is left of its balance and budget. */
const BURST_SHARE = 0.2
const BURST_MAX = 5
const LEAVES_WITHIN_MS = 1_500
const RETRY_MS_MAX = 4_000
const ATTEMPTS_MAX = 4
const PROBE_MS = 1_000
const REPEATED_SHARE = 0.6
const NAMED_SHARE = 0.5
const REPLAYED_SHARE = 0.3
const TIER_SHARE = 0.4
/** The service tiers that the APIs let callers ask for. */
const TIERS: Readonly<Record<WireName, readonly string[]>> = {
  chat: ['auto', 'default', 'flex', 'priority'],
  responses: ['auto', 'default', 'flex', 'priority'],
  messages: ['auto', 'standard_only'],
}

/** A key as its owner has it. */
export type CallsOptions = {
  readonly gateways: readonly string[]
  readonly aliases: readonly string[]
  /** The keys that callers use at the moment. */
  readonly keys: () => readonly CallerKey[]
  /** A key that must work, for the calls after the faults. */
  readonly probeKey: () => CallerKey
}

/** Callers that leave, repeat and retry. Writes down every attempt. */
export class Calls implements Load {
  readonly attempts: Attempt[] = []
  /** The gateways that have answered a call after the load has ended. */
  readonly recovered = new Set<string>()
  readonly #simulation: Simulation
  readonly #options: CallsOptions
  readonly #random: Random
  readonly #tiers: Random
  readonly #owner = new SimulatedProcess('callers')
  readonly #agent: Agent
  #isOn = false
  #questions = 0

  constructor(simulation: Simulation, options: CallsOptions) {
    this.#simulation = simulation
    this.#options = options
    this.#random = simulation.random('calls')
    this.#tiers = simulation.random('service tiers')
    const { connect } = simulation.network.of(this.#owner)
    this.#agent = simulation.scheduler.processes.run(this.#owner, () => new Agent({ connect: connect as never }))
  }

  get pending(): number {
    return this.attempts.filter(({ end }) => end === 'pending').length
  }

  isWaitingFor(gateway: string): boolean {
    return this.attempts.some((attempt) => attempt.end === 'pending' && attempt.gateway === gateway)
  }

  start(): void {
    this.#isOn = true
    this.#within(() => this.#askOnAndOn())
  }

  stop(): void {
    this.#isOn = false
    this.#within(() => {
      for (const gateway of this.#options.gateways) void this.#probe(gateway)
    })
  }

  /** The owner of a new key calls at once. */
  askWith(key: CallerKey): void {
    if (this.#isOn) this.#within(() => void this.#ask(this.#newQuestion(key)))
  }

  #within(work: () => void): void {
    this.#simulation.scheduler.processes.run(this.#owner, work)
  }

  #askOnAndOn(): void {
    if (!this.#isOn) return
    setTimeout(() => this.#askOnAndOn(), this.#random.fraction() ** 2 * PAUSE_MS_MAX)
    const keys = this.#options.keys()
    if (keys.length === 0) return
    const key = this.#random.pick(keys)
    const count = this.#random.chance(BURST_SHARE) ? 1 + this.#random.below(BURST_MAX) : 1
    for (let n = 0; n < count; n += 1) void this.#ask(this.#newQuestion(key))
  }

  #newQuestion(key: CallerKey, idempotencyKey: string | null = null): Question {
    const random = this.#random
    this.#questions += 1
    const name = `question ${this.#questions}`
    const isNamed = random.chance(NAMED_SHARE)
    const wire = random.pick(['chat', 'chat', 'responses', 'messages'] as const)
    return {
      ...{ name, key, wire, serviceTier: this.#tiers.chance(TIER_SHARE) ? this.#tiers.pick(TIERS[wire]) : null },
      alias: random.pick(this.#options.aliases),
      isStreamed: random.chance(0.5),
      idempotencyKey: idempotencyKey ?? (isNamed ? name.replace(' ', '-') : null),
    }
  }

  /** A question with an Idempotency-Key is repeated until there is an answer, and sometimes although there is one. */
  async #ask(question: Question): Promise<void> {
    const random = this.#random
    const isRepeated = question.idempotencyKey !== null && random.chance(REPEATED_SHARE)
    const first = random.pick(this.#options.gateways)
    if (isRepeated) {
      // A caller that has waited long enough also asks another gateway.
      const other = random.pick(this.#options.gateways.filter((gateway) => gateway !== first))
      setTimeout(() => void this.#attempt(question, other), random.fraction() ** 2 * RETRY_MS_MAX)
    }
    for (let n = 1; n <= ATTEMPTS_MAX; n += 1) {
      const { end, status } = await this.#attempt(question, n === 1 ? first : undefined)
      if (question.idempotencyKey === null) return
      const isAnswered = end === 'whole' || end === 'left' || (end === 'refused' && status !== 503 && status !== 409)
      if (isAnswered && !random.chance(REPLAYED_SHARE)) return
      await new Promise((resolve) => setTimeout(resolve, random.fraction() * RETRY_MS_MAX))
      if (!this.#isOn) return
    }
  }

  /** A gateway that answers a call has recovered without an operator. */
  async #probe(gateway: string): Promise<void> {
    while (!this.recovered.has(gateway)) {
      const question = { ...this.#newQuestion(this.#options.probeKey()), idempotencyKey: null }
      const { end } = await this.#attempt(question, gateway)
      if (end === 'whole') this.recovered.add(gateway)
      else await new Promise((resolve) => setTimeout(resolve, PROBE_MS))
    }
  }

  async #attempt(question: Question, gateway = this.#random.pick(this.#options.gateways)): Promise<Attempt> {
    const { scheduler, faults, counters } = this.#simulation
    counters.hit('calls')
    const attempt: Attempt = {
      ...{ question, gateway, sentAtMs: scheduler.nowMs, end: 'pending', endedAtMs: 0, status: null, callId: null },
      ...{ code: null, isReplayed: false, text: '', chargedMicros: null },
    }
    this.attempts.push(attempt)
    const leaving = new AbortController()
    if (faults.happens('caller leaves')) setTimeout(() => leaving.abort(), this.#random.fraction() * LEAVES_WITHIN_MS)
    try {
      await this.#send(attempt, leaving.signal)
    } catch {
      attempt.end = leaving.signal.aborted ? 'left' : 'cut'
    }
    attempt.endedAtMs = scheduler.nowMs
    scheduler.record(
      `${question.name} at ${gateway}: ${attempt.end} ${attempt.status} ${attempt.code} ${attempt.callId}`,
    )
    return attempt
  }

  async #send(attempt: Attempt, signal: AbortSignal): Promise<void> {
    const { question, gateway } = attempt
    const { path, headers, body } = callRequest(question)
    let charged: string | null = null
    attempt.text = await answerText({
      request: { origin: `http://${gateway}:${HTTP_PORT}`, path: `/llm/v1${path}`, method: 'POST', headers, body },
      ...{ agent: this.#agent, signal },
      onStart: (status, answered) => {
        attempt.status = status
        attempt.callId = headerOf(answered['x-request-id'])
        attempt.isReplayed = answered['idempotent-replayed'] === 'true'
        charged = headerOf(answered['x-credits-charged'])
      },
    })
    Object.assign(attempt, endOfAnswer(question, attempt.status ?? 0, attempt.text))
    if (charged !== null) attempt.chargedMicros = Math.round(Number(charged) * 1e6)
  }
}

function headerOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
