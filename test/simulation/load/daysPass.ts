import { rowsOf } from '../database/rows.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'

const FREE_AGAIN_MS = 20
const LOAD_MS = 60_000
const LEASE = 'payment-questions'

/**
 * Makes the daily questions to the payment provider due, as if their last round were a day ago: once while the load lasts,
 * and once more when it has ended, so that they find what was lost until then.
 */
export class DaysPass implements Load {
  readonly #simulation: Simulation
  readonly #random: Random

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    this.#random = simulation.random('days')
  }

  start(): void {
    setTimeout(() => this.#pass(), this.#random.fraction() * LOAD_MS)
  }

  stop(): void {
    this.#pass()
  }

  /** The lease of a reactor that was killed in its round has expired by then, too. */
  #pass(): void {
    const { server, pglite, scheduler } = this.#simulation
    if (!server.isFree) return void setTimeout(() => this.#pass(), FREE_AGAIN_MS)
    scheduler.record('a day passes for the questions to the payment provider')
    rowsOf(pglite, "update platform.provider_questions set begun_at = begun_at - interval '1 day'")
    rowsOf(pglite, `delete from platform.leases where name = '${LEASE}'`)
  }
}
