import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Attempt } from './attempt.ts'
import type { Books } from './books.ts'
import { type Client, Unanswered } from './client.ts'
import { pause } from './patience.ts'

const PAUSE_MS_MAX = 4_000
const STATEMENT_SHARE = 0.3
/** What has just been charged is neither sealed nor in the read models yet. */
const NEWEST_SHARE = 0.5
const DAY_MS = 24 * 60 * 60_000

/** Callers ask for the receipts of their calls, and owners for statements of their ledgers. */
export class Proofs implements Load {
  readonly #simulation: Simulation
  readonly #owner: SimulatedProcess
  readonly #client: Client
  readonly #books: Books
  readonly #random: Random
  readonly #attempts: () => readonly Attempt[]
  #isOn = false

  constructor(
    simulation: Simulation,
    owner: SimulatedProcess,
    client: Client,
    books: Books,
    attempts: () => readonly Attempt[],
  ) {
    this.#simulation = simulation
    this.#owner = owner
    this.#client = client
    this.#books = books
    this.#attempts = attempts
    this.#random = simulation.random('proofs')
  }

  start(): void {
    this.#isOn = true
    this.#simulation.scheduler.processes.run(this.#owner, () => void this.#askOnAndOn())
  }

  stop(): void {
    this.#isOn = false
  }

  async #askOnAndOn(): Promise<void> {
    while (this.#isOn) {
      await pause(this.#random.fraction() * PAUSE_MS_MAX)
      const { companies } = this.#books
      const charged = this.#attempts().filter(({ end }) => end === 'whole')
      try {
        const newest = this.#random.chance(NEWEST_SHARE) ? charged.at(-1) : undefined
        if (this.#random.chance(STATEMENT_SHARE) && companies.length > 0) {
          const company = companies.find(({ companyId }) => companyId === newest?.question.key.companyId)
          const { companyId, token } = company ?? this.#random.pick(companies)
          await this.statement(companyId, token, this.#random.pick(['json', 'csv']))
        } else if (charged.length > 0) await this.receipt(newest ?? this.#random.pick(charged))
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
      }
    }
  }

  /** Returns the status of the answer. */
  async receipt({ callId, gateway, question: { key } }: Attempt): Promise<number> {
    const url = `http://${gateway}/llm/v1/calls/${callId}/receipt`
    const { status, text } = await this.#client.send(url, { headers: { authorization: `Bearer ${key.raw}` } })
    this.#simulation.counters.hit(`a receipt is answered ${status}`)
    if (status === 200) this.#books.receipts.push({ callId: callId ?? '', text })
    return status
  }

  async statement(companyId: string, token: string, format: string): Promise<number> {
    const askedAtMs = this.#simulation.scheduler.nowMs
    const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(askedAtMs + ms).toISOString())
    const url = `http://backend/statements/${companyId}?from=${from}&to=${to}&format=${format}`
    const { status, text } = await this.#client.send(url, { headers: { authorization: `Bearer ${token}` } })
    this.#simulation.counters.hit(`a statement is answered ${status}`)
    if (status === 200) this.#books.statements.push({ companyId, format, askedAtMs, text })
    else this.#simulation.scheduler.record(`statement is answered ${status} ${text.slice(0, 200)}`)
    return status
  }
}
