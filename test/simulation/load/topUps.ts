import { answerConfirmation, METHOD_OUTCOMES } from '../../../services/sandbox/paymentProvider/billing/savedMethods.ts'
import { rowsOf } from '../database/rows.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Admins } from './admins.ts'

const PAUSE_MS_MAX = 2_500
const UNCHANGED_SHARE = 0.8
const OFF_SHARE = 0.2
const NEAR_SHARE = 0.5
const NEAR_CREDITS_MAX = 5
const ABOVE_CREDITS_MAX = 2_000
const PACKS_IN_CEILING_MAX = 5
const PRICE_MAX = 50
const AGREES_SHARE = 0.7
const OUTCOMES = ['pay', ...METHOD_OUTCOMES] as const
const MICROS = 1_000_000

/** Owners who set up automatic top-up, and banks that pay, decline and ask the holders of cards to confirm. */
export class TopUps implements Load {
  readonly #simulation: Simulation
  readonly #admins: Admins
  readonly #party: PaymentParty
  readonly #random: Random
  /** Those whose bank has decided what it does with payments. */
  #methods = 0
  #isOn = false

  constructor(simulation: Simulation, { admins, party }: { readonly admins: Admins; readonly party: PaymentParty }) {
    this.#simulation = simulation
    this.#admins = admins
    this.#party = party
    this.#random = simulation.random('top-ups')
  }

  start(): void {
    this.#isOn = true
    this.#actOnAndOn()
  }

  /** What banks wait for is answered, and from now on they decide at once, so that every attempt ends. */
  stop(): void {
    this.#isOn = false
    for (const { id, sandbox_outcome } of this.#party.state.all('paymentMethod')) {
      if (sandbox_outcome === 'confirm') this.#bankWill(id, this.#random.chance(AGREES_SHARE) ? 'pay' : 'decline')
    }
    for (const { id } of this.#waiting()) this.#answer(id)
  }

  #actOnAndOn(): void {
    setTimeout(() => {
      if (!this.#isOn) return
      this.#actAtBank()
      this.#actAsOwner()
      this.#actOnAndOn()
    }, this.#random.fraction() * PAUSE_MS_MAX)
  }

  #actAtBank(): void {
    const random = this.#random
    const waiting = this.#waiting()
    if (waiting.length > 0 && random.chance(0.3)) this.#answer(random.pick(waiting).id)
    const methods = this.#party.state.all('paymentMethod')
    for (const { id } of methods.slice(this.#methods)) this.#bankWill(id, random.pick(OUTCOMES))
    this.#methods = methods.length
    if (methods.length > 0 && random.chance(0.1)) this.#bankWill(random.pick(methods).id, random.pick(OUTCOMES))
  }

  /** Those of invoices are confirmed on pages of their own. */
  #waiting() {
    const intents = this.#party.state.all('paymentIntent')
    return intents.filter(({ status, metadata }) => status === 'requires_action' && metadata.topUpAttemptId)
  }

  #answer(id: string): void {
    const agrees = this.#random.chance(AGREES_SHARE)
    this.#party.act((context) => {
      const intent = context.state.get('paymentIntent', id)
      if (intent) answerConfirmation(context, intent, agrees)
    })
    this.#simulation.counters.hit(`a holder ${agrees ? 'confirms' : 'refuses'} a payment`)
  }

  #bankWill(id: string, sandbox_outcome: (typeof METHOD_OUTCOMES)[number]): void {
    this.#party.act(({ state }) => {
      const method = state.get('paymentMethod', id)
      if (method) state.put('paymentMethod', { ...method, sandbox_outcome })
    })
  }

  /** As the console shows it: top-up can be set once a card is saved. */
  #actAsOwner(): void {
    const { server, pglite } = this.#simulation
    if (!server.isFree) return
    const random = this.#random
    const rows = rowsOf(
      pglite,
      `select company_id, is_on, coalesce(balance_micros, 0) from read_models.top_ups
       left join read_models.credit_balances using (company_id) order by company_id`,
    )
    if (rows.length === 0) return
    const [companyId, isOn, balanceMicros] = random.pick(rows)
    const company = this.#admins.companies.find((one) => one.companyId === companyId)
    if (!company || company.fate !== null || (isOn !== 'f' && random.chance(UNCHANGED_SHARE))) return
    const isSwitchedOff = isOn !== 'f' && random.chance(OFF_SHARE)
    const packId = random.pick(this.#admins.packs)
    const on = { enabled: true, packId, ...this.#limits(Number(balanceMicros) / MICROS) }
    void this.#admins.ask(company.owner, 'setTopUp', { input: isSwitchedOff ? { enabled: false } : on })
  }

  /** A threshold that the next calls reach, or one that the balance is below already. */
  #limits(balance: number): { readonly thresholdCredits: number; readonly monthlyCeiling: number } {
    const random = this.#random
    const margin = random.chance(NEAR_SHARE) ? -random.below(NEAR_CREDITS_MAX) : random.below(ABOVE_CREDITS_MAX)
    const thresholdCredits = Math.max(1, Math.floor(balance) + margin)
    return {
      thresholdCredits,
      monthlyCeiling: PRICE_MAX * (1 + random.below(PACKS_IN_CEILING_MAX)) - random.below(PRICE_MAX),
    }
  }
}
