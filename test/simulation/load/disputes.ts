import {
  closeDispute,
  openDispute,
  reviewDispute,
} from '../../../services/sandbox/paymentProvider/billing/disputeCharge.ts'
import type { ProviderContext } from '../../../services/sandbox/paymentProvider/providerContext.ts'
import type { Records } from '../../../services/sandbox/paymentProvider/state/records.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'

type Dispute = Records['dispute']
type Act = (context: ProviderContext) => unknown

const PAUSE_MS_MAX = 9_000
const DISPUTED_AGAIN_SHARE = 0.2
const INQUIRY_SHARE = 0.2
const WHOLE_SHARE = 0.5
/** Half of the disputes are of payments of which a part is refunded, or may be. */
const REFUNDED_SHARE = 0.5

/** Cardholders who dispute payments, and banks that inquire, review, decide, and decide again after an appeal. */
export class Disputes implements Load {
  readonly #simulation: Simulation
  readonly #party: PaymentParty
  readonly #random: Random
  /** A bank decides again at most once: the questions of one hour recognise a dispute by its status. */
  readonly #appealed = new Set<string>()
  #isOn = false

  constructor(simulation: Simulation, party: PaymentParty) {
    this.#simulation = simulation
    this.#party = party
    this.#random = simulation.random('disputes')
  }

  start(): void {
    this.#isOn = true
    this.#actOnAndOn()
  }

  stop(): void {
    this.#isOn = false
  }

  #actOnAndOn(): void {
    setTimeout(() => {
      if (!this.#isOn) return
      this.#actOnce()
      this.#actOnAndOn()
    }, this.#random.fraction() * PAUSE_MS_MAX)
  }

  #actOnce(): void {
    const random = this.#random
    const acts: readonly (readonly [weight: number, what: string, act: Act | null])[] = [
      [10, 'a payment is disputed', this.#onCharge()],
      [3, 'a dispute is reviewed', this.#on(({ status }) => status.endsWith('needs_response'), reviewDispute)],
      [
        8,
        'a dispute is decided',
        this.#on(isBeforeDecision, (context, one) => closeDispute(context, one, this.#verdict())),
      ],
      [3, 'an inquiry is closed', this.#on(isOpenInquiry, (context, one) => closeDispute(context, one, 'closed'))],
      [
        2,
        'a dispute is decided again',
        this.#on(
          (one) => this.#mayAppeal(one),
          (context, one) => this.#appeal(context, one),
        ),
      ],
    ]
    let left = random.below(acts.reduce((sum, [weight, , act]) => sum + (act ? weight : 0), 0) || 1)
    for (const [weight, what, act] of acts) {
      if (!act) continue
      left -= weight
      if (left >= 0) continue
      if (this.#party.act(act)) this.#simulation.counters.hit(what)
      return
    }
  }

  #verdict(): 'won' | 'lost' {
    return this.#random.chance(0.5) ? 'won' : 'lost'
  }

  #mayAppeal({ id, status }: Dispute): boolean {
    return (status === 'won' || status === 'lost') && !this.#appealed.has(id)
  }

  #appeal(context: ProviderContext, dispute: Dispute): void {
    this.#appealed.add(dispute.id)
    closeDispute(context, dispute, dispute.status === 'won' ? 'lost' : 'won')
  }

  #onCharge(): Act | null {
    const random = this.#random
    const { state } = this.#party
    const disputed = new Set(state.all('dispute').map(({ charge }) => charge))
    const mayAgain = random.chance(DISPUTED_AGAIN_SHARE)
    const fit = state.all('charge').filter(({ id }) => mayAgain || !disputed.has(id))
    const refunded = fit.filter(({ amount_refunded }) => amount_refunded > 0)
    const from = refunded.length > 0 && random.chance(REFUNDED_SHARE) ? refunded : fit
    if (from.length === 0) return null
    const charge = random.pick(from)
    const amount = random.chance(WHOLE_SHARE) ? charge.amount : 1 + random.below(charge.amount)
    const inquiry = random.chance(INQUIRY_SHARE)
    return (context) => openDispute(context, charge, { amount, inquiry })
  }

  #on(isFit: (dispute: Dispute) => boolean, act: (context: ProviderContext, dispute: Dispute) => unknown): Act | null {
    const fit = this.#party.state.all('dispute').filter(isFit)
    if (fit.length === 0) return null
    const dispute = this.#random.pick(fit)
    return (context) => act(context, dispute)
  }
}

function isBeforeDecision({ status }: Dispute): boolean {
  return status === 'needs_response' || status === 'under_review'
}

function isOpenInquiry({ status }: Dispute): boolean {
  return status === 'warning_needs_response' || status === 'warning_under_review'
}
