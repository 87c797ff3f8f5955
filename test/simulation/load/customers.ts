import type { Checkout } from '../../../services/backend/graphql/generated.ts'
import { currentSession } from '../../../services/sandbox/paymentProvider/api/checkoutSessionOperations.ts'
import {
  completeCheckout,
  declineCheckout,
} from '../../../services/sandbox/paymentProvider/billing/completeCheckout.ts'
import {
  failPayment,
  markUncollectible,
  payableInvoice,
  payInvoice,
  voidInvoice,
} from '../../../services/sandbox/paymentProvider/billing/invoiceLifecycle.ts'
import { failRefund, refundCharge } from '../../../services/sandbox/paymentProvider/billing/refundCharge.ts'
import {
  announceRenewal,
  endSubscription,
  pauseSubscription,
  renew,
  resumeSubscription,
} from '../../../services/sandbox/paymentProvider/billing/subscriptionLifecycle.ts'
import type { ProviderContext } from '../../../services/sandbox/paymentProvider/providerContext.ts'
import type { Kind, Records } from '../../../services/sandbox/paymentProvider/state/records.ts'
import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Random } from '../scheduler/random.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { CommandBook } from './commandBook.ts'

const PAUSE_MS_MAX = 2_500

type Act = (context: ProviderContext) => unknown

/** What customers, the shop's staff and time do at the payment provider: payments, renewals, refunds, written-off invoices. */
export class Customers implements Load {
  readonly #simulation: Simulation
  readonly #party: PaymentParty
  readonly #book: CommandBook
  readonly #random: Random
  #isOn = false

  constructor(simulation: Simulation, { party, book }: { readonly party: PaymentParty; readonly book: CommandBook }) {
    this.#simulation = simulation
    this.#party = party
    this.#book = book
    this.#random = simulation.random('customers')
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
    const acts: readonly (readonly [weight: number, what: string, act: Act | null])[] = [
      [30, 'a checkout is paid', this.#onCheckout(completeCheckout)],
      [4, 'a card is declined', this.#onCheckout(declineCheckout)],
      [8, 'a subscription is renewed', this.#onSubscription((context, one) => renew(context, one, 'pay'))],
      [3, 'a renewal is declined', this.#onSubscription((context, one) => renew(context, one, 'decline'))],
      [1, 'a renewal needs action', this.#onSubscription((context, one) => renew(context, one, 'action_required'))],
      [
        1,
        'a renewal cannot be finalized',
        this.#onSubscription((context, one) => renew(context, one, 'finalization_failed')),
      ],
      [2, 'a renewal is announced', this.#onSubscription(announceRenewal)],
      [2, 'a subscription ends', this.#onSubscription(endSubscription)],
      [2, 'a subscription is paused', this.#onSubscription(pauseSubscription)],
      [2, 'a subscription is resumed', this.#on('subscription', ({ status }) => status === 'paused', resumed)],
      [10, 'a charge is refunded', this.#onCharge()],
      [4, 'a refund fails', this.#on('refund', ({ status }) => status !== 'failed', failRefund)],
      [8, 'an invoice is paid', this.#onInvoice((context, { id }) => payInvoice(context, payableInvoice(context, id)))],
      [2, 'an invoice is declined', this.#onInvoice((context, one) => failPayment(context, one))],
      [2, 'an invoice is voided', this.#onInvoice(voidInvoice)],
      [1, 'an invoice is uncollectible', this.#onInvoice(markUncollectible)],
    ]
    let left = this.#random.below(acts.reduce((sum, [weight, , act]) => sum + (act ? weight : 0), 0))
    for (const [weight, what, act] of acts) {
      if (!act) continue
      left -= weight
      if (left >= 0) continue
      if (this.#party.act(act)) this.#simulation.counters.hit(what)
      return
    }
  }

  /** Only a page whose address was answered can be paid. */
  #onCheckout(act: (context: ProviderContext, session: Records['checkoutSession']) => unknown): Act | null {
    const shown = new Set(this.#book.of('createCheckout').map(({ answer }) => (answer as Checkout | null)?.id))
    return this.#on(
      'checkoutSession',
      ({ status, id }) => status === 'open' && shown.has(id),
      (context, session) => {
        const current = currentSession(context, session)
        if (current.status === 'open') act(context, current)
      },
    )
  }

  #onSubscription(act: (context: ProviderContext, one: Records['subscription']) => unknown): Act | null {
    return this.#on('subscription', ({ status }) => status === 'active' || status === 'past_due', act)
  }

  /** A part of it, or all that is left. Often it is a charge of which a part is refunded already. */
  #onCharge(): Act | null {
    const share = this.#random.chance(0.5) ? this.#random.fraction() : 1
    const refund = (context: ProviderContext, charge: Records['charge']) => {
      const amount = Math.max(1, Math.floor((charge.amount - charge.amount_refunded) * share))
      refundCharge(context, charge, { amount, metadata: {} })
    }
    const further = this.#on('charge', ({ refunded, amount_refunded }) => !refunded && amount_refunded > 0, refund)
    if (further && this.#random.chance(0.5)) return further
    return this.#on('charge', ({ refunded }) => !refunded, refund)
  }

  #onInvoice(act: (context: ProviderContext, invoice: Records['invoice']) => unknown): Act | null {
    return this.#on('invoice', ({ status }) => status === 'open', act)
  }

  #on<K extends Kind>(
    kind: K,
    isFit: (record: Records[K]) => boolean,
    act: (context: ProviderContext, record: Records[K]) => unknown,
  ): Act | null {
    const fit = this.#party.state.all(kind).filter(isFit)
    if (fit.length === 0) return null
    const record = this.#random.pick(fit)
    return (context) => act(context, record)
  }
}

const resumed = (context: ProviderContext, one: Records['subscription']) => {
  resumeSubscription(context, one, 'unchanged')
}
