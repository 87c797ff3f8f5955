import type { PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'

const PLAN_MINOR = 4_900

export type Charge = {
  readonly id: string
  readonly amount: number
  refunded: number
  readonly purchaseId: string | null
  readonly invoiceId: string | null
  /** Refunds that have not failed. */
  readonly refunds: { readonly id: string; readonly minor: number }[]
}
export type ProviderDispute = {
  readonly id: string
  readonly charge: string
  minor: number
  status: string
  created: number
}
export type UsageInvoice = {
  readonly id: string
  readonly month: string
  readonly minor: number
  status: string
  due: number
}

/** The objects of the payment provider for one company, and the events that it sends about them. */
export class ProviderWorld {
  readonly companyId: string
  readonly planId: string
  readonly charges: Charge[] = []
  readonly disputes: ProviderDispute[] = []
  readonly usageInvoices: UsageInvoice[] = []
  readonly #name: string
  #events = 0

  constructor({
    name,
    companyId,
    planId,
  }: { readonly name: string; readonly companyId: string; readonly planId: string }) {
    this.#name = name
    this.companyId = companyId
    this.planId = planId
  }

  charge(of: Pick<Charge, 'amount' | 'purchaseId' | 'invoiceId'>): Charge {
    const charge = { id: this.#id('ch', this.charges.length), refunded: 0, refunds: [], ...of }
    this.charges.push(charge)
    return charge
  }

  dispute(charge: Charge, minor: number, created: number): ProviderDispute {
    const id = this.#id('du', this.disputes.length)
    const dispute = { id, charge: charge.id, minor, status: 'needs_response', created }
    this.disputes.push(dispute)
    return dispute
  }

  usageInvoice({ month, minor, due }: Pick<UsageInvoice, 'month' | 'minor' | 'due'>): UsageInvoice {
    const invoice = { id: this.#id('in_usage', this.usageInvoices.length), month, minor, due, status: 'open' }
    this.usageInvoices.push(invoice)
    return invoice
  }

  /** An event with the object as it is now. */
  event(type: string, object: object, atMs: number): PaymentEventBody {
    const id = this.#id('evt', this.#events++)
    const created = Math.floor(atMs / 1_000)
    return { id, type, created, api_version: '2023-10-16', data: { object: structuredClone(object) as never } }
  }

  packPaid(purchaseId: string, minor: number): object {
    const metadata = { companyId: this.companyId, purchaseId }
    const paid = { mode: 'payment', payment_status: 'paid', amount_total: minor, currency: 'usd' }
    return { id: `cs_${purchaseId}`, ...paid, payment_intent: `pi_${purchaseId}`, invoice: null, metadata }
  }

  planPaid(invoiceId: string, period: { readonly start: number; readonly end: number }): object {
    const price = { product: `tollgate_plan_${this.planId}`, unit_amount: PLAN_MINOR }
    const lines = { data: [{ amount: PLAN_MINOR, quantity: 1, price, period }] }
    const metadata = { companyId: this.companyId }
    const paid = { status: 'paid', total: PLAN_MINOR, amount_due: PLAN_MINOR, currency: 'usd', attempted: true }
    return {
      ...{
        id: invoiceId,
        customer: null,
        subscription: 'sub_1',
        subscription_details: { metadata },
        metadata: {},
        lines,
      },
      ...{ ...paid, created: period.start, status_transitions: { paid_at: period.start } },
    }
  }

  usageObject({ id, month, minor, status, due }: UsageInvoice): object {
    const metadata = { companyId: this.companyId, month }
    const money = { status, total: minor, amount_due: minor, currency: 'usd', due_date: due, created: due }
    return { id, customer: null, subscription: null, metadata, ...money, attempted: status === 'paid' }
  }

  chargeObject({ id, amount, refunded, purchaseId, invoiceId }: Charge): object {
    const metadata = { companyId: this.companyId, ...(purchaseId === null ? {} : { purchaseId }) }
    return { id, amount, currency: 'usd', amount_refunded: refunded, customer: null, invoice: invoiceId, metadata }
  }

  disputeObject({ minor: amount, ...dispute }: ProviderDispute): object {
    return { ...dispute, amount, currency: 'usd', reason: 'fraudulent', payment_intent: null }
  }

  chargeWith(id: string | null): Charge {
    const charge = this.charges.find((each) => each.id === id)
    if (!charge) throw new Error(`the provider has no charge ${id}`)
    return charge
  }

  disputeWith(id: string): ProviderDispute {
    const dispute = this.disputes.find((each) => each.id === id)
    if (!dispute) throw new Error(`the provider has no dispute ${id}`)
    return dispute
  }

  #id(kind: string, n: number): string {
    return `${kind}_${this.#name}_${String(n).padStart(3, '0')}`
  }
}

export const PLAN_PRICE_MINOR = PLAN_MINOR
