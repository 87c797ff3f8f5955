import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import { SETTINGS } from '../settings.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Books, Company } from './books.ts'
import type { Client } from './client.ts'
import { patiently, pause } from './patience.ts'

const PAUSE_MS_MAX = 8_000
const MEETING_MS_MAX = 60_000
const SKILLS = ['TypeScript', 'SQL', 'Welding', 'Sales']
const GENERATOR = '/api/v1/background-tasks/match-score-generator/start'

export type HiringOptions = {
  readonly simulation: Simulation
  readonly owner: SimulatedProcess
  readonly client: Client
  readonly books: Books
}

type Hired = { readonly company: Company; readonly id: string }

/** Companies that look for people: jobs, talents and their scores, and a meeting server that reports its rooms. */
export class Hiring implements Load {
  readonly #options: HiringOptions
  readonly #random: Random
  readonly #jobs: Hired[] = []
  readonly #talents: Hired[] = []
  #rooms = 0
  #isOn = false

  constructor(options: HiringOptions) {
    this.#options = options
    this.#random = options.simulation.random('hiring')
  }

  start(): void {
    this.#isOn = true
    const { simulation, owner } = this.#options
    simulation.scheduler.processes.run(owner, () => {
      void this.#post(GENERATOR, {})
      void this.#actOnAndOn()
    })
  }

  stop(): void {
    this.#isOn = false
  }

  async #actOnAndOn(): Promise<void> {
    const { books } = this.#options
    while (this.#isOn) {
      await pause(this.#random.fraction() * PAUSE_MS_MAX)
      if (books.companies.length > 0) await this.#act(this.#random.pick(books.companies))
    }
  }

  async #act(company: Company): Promise<void> {
    const draw = this.#random.fraction()
    const job = this.#jobs.length > 0 ? this.#random.pick(this.#jobs) : null
    const talent = this.#talents.length > 0 ? this.#random.pick(this.#talents) : null
    if (!job || draw < 0.25) await this.#postJob(company)
    else if (!talent || draw < 0.55) await this.#register(job.company)
    else if (draw < 0.65) await this.#change('mutation($id: ID!) { closeJob(id: $id) { id } }', job)
    else if (draw < 0.75) await this.#change('mutation($id: ID!) { eraseTalent(id: $id) }', talent)
    else await this.#meet(job, talent)
  }

  async #postJob(company: Company): Promise<void> {
    const input = { title: 'Engineer', location: 'Zurich', requirements: this.#skills() }
    const query = 'mutation($input: PostJobInput!) { postJob(input: $input) { id } }'
    const posted = await this.#ask(query, { input }, company)
    if (!posted) return
    const job = { company, id: posted.postJob.id as string }
    this.#jobs.push(job)
    await this.#change('mutation($id: ID!) { publishJob(id: $id) { id } }', job)
  }

  async #register(company: Company): Promise<void> {
    const input = { name: 'Ada Lovelace', location: 'Zurich', yearsOfExperience: 4.5, skills: this.#skills() }
    const query = 'mutation($input: RegisterTalentInput!) { registerTalent(input: $input) { id } }'
    const registered = await this.#ask(query, { input }, company)
    if (registered) this.#talents.push({ company, id: registered.registerTalent.id })
  }

  async #change(query: string, { id, company }: Hired): Promise<void> {
    await this.#ask(query, { id }, company)
  }

  /** The meeting server repeats what was not answered, in any order. */
  async #meet(job: Hired, talent: Hired): Promise<void> {
    const { scheduler } = this.#options.simulation
    this.#rooms += 1
    const room = this.#random.chance(0.7) ? `job-${job.id}--talent-${talent.id}--${this.#rooms}` : `room-${this.#rooms}`
    const startedMs = scheduler.nowMs
    const endedMs = startedMs + this.#random.fraction() * MEETING_MS_MAX
    const reports = [
      { event: 'room_created', atMs: startedMs },
      { event: 'room_destroyed', atMs: endedMs },
    ]
    if (this.#random.chance(0.3)) reports.reverse()
    for (const { event, atMs } of reports) {
      const timestamp = new Date(atMs).toISOString()
      await this.#post(`/api/events/room/${event.slice('room_'.length)}`, { event, room, timestamp })
    }
  }

  /** null if it was refused or the load has ended. */
  async #ask(query: string, variables: object, { token }: Company) {
    const { client, simulation } = this.#options
    const result = await patiently(
      () => this.#isOn,
      () => client.ask(query, variables, token),
    )
    if (result && result.code !== undefined) {
      simulation.scheduler.record(`hiring is refused: ${result.code} ${result.message} by ${query.slice(0, 60)}`)
      return null
    }
    return result?.data
  }

  async #post(path: string, message: object): Promise<void> {
    const { client } = this.#options
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SETTINGS.INTERNAL_TOKEN}` }
    await patiently(
      () => this.#isOn,
      async () => {
        const { status } = await client.send(`http://ai${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(message),
        })
        return status < 500 ? true : null
      },
    )
  }

  #skills(): string[] {
    return SKILLS.filter(() => this.#random.chance(0.5))
  }
}
