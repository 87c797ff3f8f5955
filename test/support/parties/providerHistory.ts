import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type ProviderEvent, providerEvent } from './paymentEventDelivery.ts'

const START = 1_772_359_200

export const PLAN_PRICE = 4_900
export const PACK_PRICE = 1_000

/** The steps of one subscription's life, each `gap` seconds after the one before. */
export type SubscriptionStep = {
  readonly gap: number
  readonly kind: 'renew' | 'pause' | 'resume' | 'toggleCancel' | 'trialWillEnd' | 'announce'
  readonly failures: number
  readonly needsAction: boolean
  readonly isPaid: boolean
  readonly refunds: readonly RefundPlan[]
  readonly dispute: DisputePlan | null
}
export type SubscriptionPlan = { readonly steps: readonly SubscriptionStep[]; readonly isDeleted: boolean }
export type RefundPlan = {
  readonly amount: number
  /** A refund that fails later; its event arrives at once, or after those of all other refunds. */
  readonly failure: 'none' | 'reported' | 'reported late'
  readonly gap: number
}
/** A dispute that is opened before the refunds of its charge and goes on after them. */
export type DisputePlan = {
  readonly amount: number
  /** The bank raises or lowers the amount. */
  readonly laterAmount: number
  readonly decisions: readonly ('won' | 'lost' | 'warning_closed')[]
  readonly gap: number
}
export type PurchasePlan = {
  readonly isPaid: boolean
  readonly refunds: readonly RefundPlan[]
  readonly dispute: DisputePlan | null
  readonly gap: number
}
export type HistoryPlan = {
  readonly subscriptions: readonly SubscriptionPlan[]
  readonly purchases: readonly PurchasePlan[]
}

const gap = fc.constantFrom(0, 0, 0, 1, 2)
const refunds = (most: number) =>
  fc.array(
    fc.record({
      amount: fc.oneof(fc.integer({ min: 1, max: most }), fc.constant(most)),
      failure: fc.constantFrom('none' as const, 'none' as const, 'reported' as const, 'reported late' as const),
      gap,
    }),
    { maxLength: 4 },
  )
const dispute = (most: number) =>
  fc.option(
    fc.record({
      amount: fc.oneof(fc.integer({ min: 1, max: most }), fc.constant(most)),
      laterAmount: fc.oneof(fc.integer({ min: 1, max: most }), fc.constant(most)),
      decisions: fc.array(fc.constantFrom('won' as const, 'lost' as const, 'warning_closed' as const), {
        maxLength: 2,
      }),
      gap,
    }),
    { nil: null },
  )
const step: fc.Arbitrary<SubscriptionStep> = fc.record({
  gap,
  kind: fc.constantFrom('renew', 'renew', 'pause', 'resume', 'toggleCancel', 'trialWillEnd', 'announce'),
  failures: fc.nat(2),
  needsAction: fc.boolean(),
  isPaid: fc.boolean(),
  refunds: refunds(PLAN_PRICE),
  dispute: dispute(PLAN_PRICE),
})

export const historyPlan: fc.Arbitrary<HistoryPlan> = fc.record({
  subscriptions: fc.array(fc.record({ steps: fc.array(step, { maxLength: 5 }), isDeleted: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  purchases: fc.array(
    fc.record({ isPaid: fc.boolean(), refunds: refunds(PACK_PRICE), dispute: dispute(PACK_PRICE), gap }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
})

type Wire = Record<string, unknown> & { id: string }

/** An object of the provider since the event with this index. */
type Version = { readonly since: number; readonly object: Wire }

/** The provider's events in the order in which they happened, and its objects at the end and after each event. */
export class ProviderHistory {
  readonly companyId = randomUUID()
  readonly planId = randomUUID()
  readonly purchaseIds: string[] = []
  readonly events: ProviderEvent[] = []
  readonly subscriptions = new Map<string, Wire>()
  readonly invoices = new Map<string, Wire>()
  /** The final refund of each paid invoice or purchase. */
  readonly refunded = new Map<string, number>()
  /** What disputes take of each paid invoice or purchase in the end. */
  readonly disputed = new Map<string, number>()
  readonly disputes = new Map<string, Wire>()
  readonly paidInvoices = new Set<string>()
  readonly paidPurchases = new Set<string>()
  readonly #versions = new Map<string, Version[]>()
  /** The objects that the next event may have changed. */
  #changing: readonly Wire[] = []
  #now = START
  #count = 0

  constructor(plan: HistoryPlan) {
    for (const one of plan.subscriptions) this.#subscribe(one)
    for (const one of plan.purchases) this.#purchase(one)
  }

  /** The object as the provider shows it when this many events have happened. */
  objectAfter(id: string, happened: number): Wire {
    const version = this.#versions.get(id)?.findLast(({ since }) => since < happened)
    if (!version) throw new Error(`the provider has no ${id} after ${happened} events`)
    return version.object
  }

  #emit(type: string, object: Wire): void {
    for (const one of this.#changing) {
      const versions = this.#versions.get(one.id) ?? []
      versions.push({ since: this.events.length, object: structuredClone(one) })
      this.#versions.set(one.id, versions)
    }
    this.events.push(providerEvent(type, structuredClone(object), { created: this.#now }))
  }

  #metadata() {
    return { companyId: this.companyId, planId: this.planId }
  }

  #subscribe({ steps, isDeleted }: SubscriptionPlan): void {
    const id = `sub_${++this.#count}`
    const price = { product: `tollgate_plan_${this.planId}`, unit_amount: PLAN_PRICE }
    const subscription: Wire = {
      id,
      status: 'incomplete',
      customer: 'cus_1',
      metadata: this.#metadata(),
      items: { data: [{ price }] },
      start_date: this.#now,
      current_period_end: this.#now + 100,
      cancel_at_period_end: false,
    }
    this.subscriptions.set(id, subscription)
    this.#changing = [subscription]
    this.#emit('customer.subscription.created', subscription)
    this.#bill(subscription, { failures: 0, needsAction: false, isPaid: true, refunds: [], dispute: null })
    const session = { id: `cs_${id}`, mode: 'subscription', payment_status: 'paid', subscription: id }
    this.#emit('checkout.session.completed', { ...session, customer: 'cus_1', metadata: this.#metadata() })
    for (const one of steps) {
      this.#now += one.gap
      this.#step(subscription, one)
    }
    if (isDeleted) {
      const living = structuredClone(subscription)
      Object.assign(subscription, { status: 'canceled', ended_at: this.#now, canceled_at: this.#now })
      this.#emit('customer.subscription.deleted', subscription)
      // Sent late, and dated late: what is over stays over.
      this.#now += 1
      this.#emit('customer.subscription.updated', living)
    }
  }

  #step(subscription: Wire, one: SubscriptionStep): void {
    switch (one.kind) {
      case 'renew':
        subscription.current_period_end = (subscription.current_period_end as number) + 100
        this.#emit('customer.subscription.updated', subscription)
        this.#bill(subscription, one)
        break
      case 'pause':
        subscription.status = 'paused'
        this.#emit('customer.subscription.paused', subscription)
        break
      case 'resume':
        subscription.status = 'active'
        this.#emit('customer.subscription.resumed', subscription)
        break
      case 'toggleCancel':
        subscription.cancel_at_period_end = !subscription.cancel_at_period_end
        this.#emit('customer.subscription.updated', subscription)
        break
      case 'trialWillEnd':
        this.#emit('customer.subscription.trial_will_end', subscription)
        break
      case 'announce': {
        const { id, ...upcoming } = this.#invoice(subscription, 'draft')
        this.#emit('invoice.upcoming', upcoming as Wire)
      }
    }
  }

  #invoice(subscription: Wire, status: string): Wire {
    const price = { product: `tollgate_plan_${this.planId}`, unit_amount: PLAN_PRICE }
    return {
      id: `in_${++this.#count}`,
      status,
      customer: 'cus_1',
      subscription: subscription.id,
      subscription_details: { metadata: this.#metadata() },
      metadata: {},
      lines: { data: [{ amount: PLAN_PRICE, quantity: 1, price }] },
      total: PLAN_PRICE,
      amount_due: PLAN_PRICE,
      currency: 'usd',
      created: this.#now,
      due_date: this.#now + 1_000,
      attempted: false,
      status_transitions: { paid_at: null },
      hosted_invoice_url: 'https://pay.example/',
    }
  }

  #bill(subscription: Wire, { failures, needsAction, isPaid, ...money }: Omit<SubscriptionStep, 'gap' | 'kind'>): void {
    const invoice = this.#invoice(subscription, 'open')
    this.invoices.set(invoice.id, invoice)
    this.#changing = [subscription, invoice]
    this.#emit('invoice.finalized', invoice)
    if (needsAction) {
      Object.assign(invoice, { attempted: true, payment_intent: { status: 'requires_action' } })
      this.#emit('invoice.payment_action_required', invoice)
    }
    for (let n = 0; n < failures; n++) {
      Object.assign(invoice, { attempted: true, payment_intent: { status: 'requires_payment_method' } })
      this.#emit('invoice.payment_failed', invoice)
      subscription.status = 'past_due'
      this.#emit('customer.subscription.updated', subscription)
    }
    if (!isPaid) return
    const unpaid = structuredClone(invoice)
    Object.assign(invoice, { status: 'paid', attempted: true, status_transitions: { paid_at: this.#now } })
    this.paidInvoices.add(invoice.id)
    this.#emit('invoice.paid', invoice)
    this.#emit('invoice.payment_failed', unpaid)
    subscription.status = 'active'
    this.#emit('customer.subscription.updated', subscription)
    this.#settle(money, PLAN_PRICE, invoice.id, { invoice: invoice.id, metadata: {} })
  }

  #purchase({ isPaid, gap: seconds, ...money }: PurchasePlan): void {
    this.#now += seconds
    const purchaseId = randomUUID()
    this.purchaseIds.push(purchaseId)
    const metadata = { companyId: this.companyId, purchaseId }
    const session = { id: `cs_${purchaseId}`, mode: 'payment', payment_intent: `pi_${++this.#count}`, metadata }
    const payment_status = isPaid ? 'paid' : 'unpaid'
    this.#emit('checkout.session.completed', {
      ...session,
      payment_status,
      amount_total: PACK_PRICE,
      currency: 'usd',
      invoice: null,
    })
    if (!isPaid) return
    this.paidPurchases.add(purchaseId)
    this.#settle(money, PACK_PRICE, purchaseId, { invoice: null, metadata })
  }

  #settle(
    { refunds, dispute }: Pick<PurchasePlan, 'refunds' | 'dispute'>,
    charged: number,
    of: string,
    about: object,
  ): void {
    const money = { amount: charged, amount_refunded: 0, currency: 'usd' }
    const charge: Wire = { id: `ch_${++this.#count}`, ...money, customer: 'cus_1', ...about }
    this.#changing = [...this.#changing, charge]
    const disputed = dispute && this.#dispute(dispute, charge.id)
    this.#refund(refunds, charge, of)
    if (dispute && disputed) this.#decide(dispute, disputed, of)
  }

  #dispute({ amount, gap: seconds }: DisputePlan, charge: string): Wire {
    this.#now += seconds
    const money = { amount, currency: 'usd', charge, payment_intent: null, created: this.#now }
    const opened: Wire = { id: `du_${++this.#count}`, ...money, reason: 'fraudulent', status: 'needs_response' }
    this.disputes.set(opened.id, opened)
    this.#changing = [...this.#changing, opened]
    this.#emit('charge.dispute.created', opened)
    this.#emit('charge.dispute.funds_withdrawn', opened)
    return opened
  }

  #decide({ laterAmount, decisions, gap: seconds }: DisputePlan, disputed: Wire, of: string): void {
    this.#now += seconds
    Object.assign(disputed, { amount: laterAmount, status: 'under_review' })
    this.#emit('charge.dispute.updated', disputed)
    for (const status of decisions) {
      this.#now += seconds
      disputed.status = status
      this.#emit('charge.dispute.closed', disputed)
      if (status === 'won') this.#emit('charge.dispute.funds_reinstated', disputed)
    }
    const end = decisions.at(-1) ?? 'open'
    if (end === 'open' || end === 'lost') this.disputed.set(of, laterAmount)
  }

  /** Amounts of a charge's events are cumulative. The events of a single refund do not have them. */
  #refund(plans: readonly RefundPlan[], charge: Wire, of: string): void {
    const charged = charge.amount as number
    const late: Wire[] = []
    for (const { amount: wanted, failure, gap: seconds } of plans) {
      this.#now += seconds
      const before = charge.amount_refunded as number
      const amount = Math.min(charged - before, wanted)
      if (amount === 0) continue
      charge.amount_refunded = before + amount
      this.#emit('charge.refunded', charge)
      if (failure === 'none') continue
      this.#now += seconds
      charge.amount_refunded = before
      const refund = { id: `re_${++this.#count}`, charge: charge.id, amount, status: 'failed' }
      if (failure === 'reported') this.#emit('charge.refund.updated', refund)
      else late.push(refund)
    }
    for (const refund of late) this.#emit('charge.refund.updated', refund)
    const refunded = charge.amount_refunded as number
    if (refunded > 0) this.refunded.set(of, refunded)
  }
}
