import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Books } from './books.ts'
import { type Client, Unanswered } from './client.ts'
import { pause } from './patience.ts'

const POLLED_EVERY_MS = 1_500

/** Asks a backend for its health all the time, also when the load is over. */
export class HealthPolls implements Load {
  readonly #simulation: Simulation
  readonly #owner: SimulatedProcess
  readonly #client: Client
  readonly #books: Books

  constructor(simulation: Simulation, owner: SimulatedProcess, client: Client, books: Books) {
    this.#simulation = simulation
    this.#owner = owner
    this.#client = client
    this.#books = books
  }

  start(): void {
    this.#simulation.scheduler.processes.run(this.#owner, () => void this.#poll())
  }

  stop(): void {}

  async #poll(): Promise<void> {
    for (;;) {
      await pause(POLLED_EVERY_MS)
      try {
        const { status, text } = await this.#client.send('http://backend/health')
        const said = status === 200 ? (JSON.parse(text) as { status: string }).status : `answered ${status}`
        this.#books.health.push({ atMs: this.#simulation.scheduler.elapsedMs, status: said, text })
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
      }
    }
  }
}
