import { rolloverId } from '../../../capabilities/creditLots/lotTables.ts'
import { grantIdOf } from '../../../capabilities/payments/bookings.ts'
import type { GrantOrigin } from '../../../capabilities/payments/grantStream.ts'
import type { GrantsOfLife } from './grantsOfLife.ts'
import type { HearingLife, Said } from './heardByLife.ts'
import type { LotTerms } from './lotLife.ts'
import type { StepOf } from './moneySteps.ts'
import { type DisputeStatus, PaidGrant } from './paidGrant.ts'
import { type Charge, PLAN_PRICE_MINOR, type ProviderDispute } from './providerWorld.ts'
import { chosen, same, wholeSeconds } from './sameFigures.ts'

const DAY_MS = 86_400_000
const PLAN_CREDITS = 10
/** An answer of the provider may be as much older than our clock. */
const ANSWER_SKEW_MS = 5_000
const STATUSES: Readonly<Record<string, DisputeStatus>> = { won: 'won', lost: 'lost', warning_closed: 'withdrawn' }

/** A payment, and its grant by the model. */
type Paid = { readonly grant: PaidGrant; readonly charge: Charge; readonly origin: GrantOrigin }

type PayingLife = HearingLife & {
  readonly grants: Pick<GrantsOfLife, 'count' | 'correct'>
  readonly topUp: { readonly returned: (purchaseId: string | null) => void }
}

/** The part of a life in which packs and plans are paid, refunded, disputed and corrected. */
export class PaymentsOfLife {
  readonly #life: PayingLife
  readonly #paid: Paid[] = []

  constructor(life: PayingLife) {
    this.#life = life
  }

  /** A purchase that was paid for, with or without a checkout page. */
  addPurchase(purchaseId: string, credits: number, minor: number): PaidGrant {
    const lotId = grantIdOf('purchase', purchaseId)
    const grant = new PaidGrant({ lotId, ownId: purchaseId, isPurchase: true, credits, chargedMinor: minor })
    const charge = this.#life.world.charge({ amount: minor, purchaseId, invoiceId: null })
    this.#paid.push({ grant, charge, origin: { purchaseId } })
    this.#life.model.payments.push(grant)
    return grant
  }

  async buy({ credits, minor, validDays, isHeld }: StepOf<'buy'>): Promise<void> {
    const purchaseId = this.#life.name('purchase')
    await this.#life.product.startPurchase(purchaseId, { credits, minor, validDays })
    const grant = this.addPurchase(purchaseId, credits, minor)
    const at = wholeSeconds(this.#life.now)
    const expiresAt = validDays === null ? null : at + validDays * DAY_MS
    const terms = { lotId: grant.facts.lotId, source: 'PACK_PURCHASE', credits, priority: 0, expiresAt, rollover: null }
    const event = this.#life.world.event(
      'checkout.session.completed',
      this.#life.world.packPaid(purchaseId, minor),
      this.#life.now,
    )
    const days = validDays === null ? '' : `, valid for ${validDays} days`
    const text = `payment of ${minor} for ${credits} credits${days}`
    await this.#life.heard.say(isHeld, { event, text, means: () => this.#life.model.paid(grant, terms, at) })
  }

  async renew({ days, isHeld }: StepOf<'renew'>): Promise<void> {
    if (this.#life.company.mode === 'POSTPAID') return
    const invoiceId = `in_${this.#life.name('invoice').replaceAll('-', '')}`
    const lotId = grantIdOf('invoice', invoiceId)
    const facts = { lotId, ownId: invoiceId, isPurchase: false, credits: PLAN_CREDITS, chargedMinor: PLAN_PRICE_MINOR }
    const grant = new PaidGrant(facts)
    const charge = this.#life.world.charge({ amount: PLAN_PRICE_MINOR, purchaseId: null, invoiceId })
    this.#paid.push({ grant, charge, origin: { invoiceId, companyId: this.#life.company.companyId } })
    this.#life.model.payments.push(grant)
    const start = wholeSeconds(this.#life.now)
    const lasts = days * DAY_MS
    const rollover = { share: this.#life.share, expiresAt: start + 2 * lasts, lotId: rolloverId(lotId) }
    const period = { start: start / 1_000, end: (start + lasts) / 1_000 }
    const terms: LotTerms = {
      ...{ lotId, source: 'SUBSCRIPTION', credits: PLAN_CREDITS, priority: 0, expiresAt: start + lasts },
      rollover: this.#life.share === 0 ? null : rollover,
    }
    const event = this.#life.world.event('invoice.paid', this.#life.world.planPaid(invoiceId, period), this.#life.now)
    const text = `payment of the plan for ${days} days`
    await this.#life.heard.say(isHeld, { event, text, means: () => this.#life.model.paid(grant, terms, start) })
  }

  async refund({ which, minor: wanted, isHeld }: StepOf<'refund'>): Promise<void> {
    const paid = chosen(this.#paid, which)
    const minor = paid ? Math.min(wanted, paid.charge.amount - paid.charge.refunded) : 0
    if (!paid || minor === 0) return
    const { charge } = paid
    charge.refunded += minor
    charge.refunds.push({ id: `re_${this.#life.name('refund')}`, minor })
    await this.#life.heard.say(
      isHeld,
      this.#refunded(paid, `refund of ${minor}, ${charge.refunded} of ${charge.amount} together`),
    )
  }

  #refunded({ grant, charge }: Paid, text: string): Said {
    const [at, minor] = [wholeSeconds(this.#life.now), charge.refunded]
    const event = this.#life.world.event('charge.refunded', this.#life.world.chargeObject(charge), this.#life.now)
    const means = () => {
      this.#returnedIf(minor >= charge.amount, charge)
      this.#life.model.move(grant, grant.refundSeen(minor, at, false), at)
    }
    return { event, text, means }
  }

  /** The provider's event does not say what is refunded in all, so the provider is asked when it is heard. */
  async refundFails({ which, isHeld }: StepOf<'refundFails'>): Promise<void> {
    const paid = chosen(
      this.#paid.filter(({ charge }) => charge.refunds.length > 0),
      which,
    )
    const refund = paid?.charge.refunds.pop()
    if (!paid || !refund) return
    const { grant, charge } = paid
    charge.refunded -= refund.minor
    const saidAt = wholeSeconds(this.#life.now)
    const object = { id: refund.id, charge: charge.id, status: 'failed' }
    const event = this.#life.world.event('charge.refund.updated', object, this.#life.now)
    const means = (isFirst: boolean) => {
      this.#returnedIf(charge.refunded >= charge.amount, charge)
      if (!isFirst) return
      const answeredAt = Math.max(saidAt, wholeSeconds(this.#life.now - ANSWER_SKEW_MS))
      const movements = grant.refundSeen(charge.refunded, answeredAt, true)
      this.#life.model.move(grant, movements, grant.refundAt)
    }
    await this.#life.heard.say(isHeld, { event, text: `refund of ${refund.minor} of ${charge.amount} fails`, means })
  }

  async dispute({ which, minor, isHeld }: StepOf<'dispute'>): Promise<void> {
    const paid = chosen(this.#paid, which)
    if (!paid) return
    const dispute = this.#life.world.dispute(
      paid.charge,
      Math.min(minor, paid.charge.amount),
      wholeSeconds(this.#life.now) / 1_000,
    )
    await this.#life.heard.say(isHeld, this.#disputed(dispute, 'charge.dispute.created'))
  }

  async disputeSays({ which, minor, status, isHeld }: StepOf<'disputeSays'>): Promise<void> {
    const dispute = chosen(this.#life.world.disputes, which)
    if (!dispute) return
    dispute.minor = Math.min(minor, this.#life.world.chargeWith(dispute.charge).amount)
    dispute.status = status
    await this.#life.heard.say(
      isHeld,
      this.#disputed(dispute, `charge.dispute.${status in STATUSES ? 'closed' : 'updated'}`),
    )
  }

  #disputed({ id, ...dispute }: ProviderDispute, type: string): Said {
    const { grant, charge } = this.#paid.find((paid) => paid.charge.id === dispute.charge) as Paid
    const event = this.#life.world.event(type, this.#life.world.disputeObject({ id, ...dispute }), this.#life.now)
    const [at, status] = [wholeSeconds(this.#life.now), STATUSES[dispute.status] ?? 'open']
    const means = () => {
      this.#returnedIf(status === 'lost', charge)
      this.#life.model.move(grant, grant.disputeSeen(id, { at, status, minor: dispute.minor }), at)
      this.#life.model.disputeHeard(id)
    }
    return { event, text: `dispute ${id} of ${dispute.minor} of ${charge.amount}: ${dispute.status}`, means }
  }

  #returnedIf(isReturned: boolean, { purchaseId }: Charge): void {
    if (isReturned) this.#life.topUp.returned(purchaseId)
  }

  async poll(): Promise<void> {
    this.#life.say('the provider is asked about all refunds and disputes')
    for (const paid of this.#paid) await this.#life.heard.hear(this.#refunded(paid, 'the answer about a refund'))
    for (const dispute of this.#life.world.disputes)
      await this.#life.heard.hear(this.#disputed(dispute, 'charge.dispute.updated'))
  }

  async correct({ which, entry, credits }: StepOf<'correct'>): Promise<void> {
    if (credits === 0) return
    const { grants } = this.#life
    const all = this.#paid.length + grants.count
    const index = all === 0 ? 0 : which % all
    const paid = this.#paid[index]
    if (!paid) return grants.correct(index - this.#paid.length, credits)
    const { grant, origin } = paid
    const movements = grant.corrected(entry, credits)
    this.#life.say(
      `a person corrects a ${entry} of ${grant.facts.credits} credits by ${credits}${movements ? '' : ', refused'}`,
    )
    if (movements) this.#life.model.move(grant, movements, this.#life.now)
    same(
      'correction',
      { isDone: movements !== null },
      { isDone: await this.#life.product.correct(origin, entry, credits) },
    )
  }
}
