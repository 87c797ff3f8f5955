import { rowsOf } from '../database/rows.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'

const FREE_AGAIN_MS = 20
const LOAD_MS = 60_000
const LOOKS_EVERY_MS = 500
const LEASE = 'payment-questions'

/**
 * Makes the daily questions to the payment provider due, as if their last round were a day ago: once while the load lasts,
 * and once more when it has ended and all events that are late have arrived, so that they find what was lost until then.
 */
export class DaysPass implements Load {
  readonly #simulation: Simulation
  readonly #party: PaymentParty
  readonly #random: Random

  constructor(simulation: Simulation, party: PaymentParty) {
    this.#simulation = simulation
    this.#party = party
    this.#random = simulation.random('days')
  }

  start(): void {
    setTimeout(() => this.#pass(), this.#random.fraction() * LOAD_MS)
  }

  /** An event that says less than the provider does now would undo what the questions found, until the next day. */
  stop(): void {
    if (this.#party.deliveries.pending > 0) setTimeout(() => this.stop(), LOOKS_EVERY_MS)
    else this.#pass()
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
