import type Stripe from 'stripe'
import { z } from 'zod'
import type { Payment, Reference } from '../../domain/reconciliation/match.ts'
import { openStripe, type PaymentConfig, translated, unlessMissing } from './paymentProvider.ts'
import { ownId, timeOf } from './providerObjects.ts'

/** The provider's largest page. */
const PAGE = 100

const metadata = z.record(z.string(), z.string()).nullish()
const customer = z.union([z.string(), z.object({ id: z.string(), metadata })]).nullish()
const reference = z.union([z.string(), z.object({ id: z.string() })]).nullish()
const charge = z.object({
  id: z.string(),
  status: z.string(),
  captured: z.boolean().default(true),
  amount: z.int().nonnegative(),
  amount_refunded: z.int().nonnegative(),
  currency: z.string(),
  created: z.int().nonnegative(),
  customer,
  invoice: reference,
  metadata,
})
type Charge = z.infer<typeof charge>
const refund = z.object({
  id: z.string(),
  amount: z.int().nonnegative(),
  currency: z.string(),
  status: z.string().nullish(),
  charge: z.union([z.string(), charge]).nullish(),
})
const invoice = z.object({
  paid_out_of_band: z.boolean().default(false),
  total: z.int(),
  amount_paid: z.int(),
  charge: z.union([z.string(), charge]).nullish(),
})

export type Refund = {
  readonly refundId: string
  readonly amountMinor: bigint
  readonly currency: string
  /** The payment that was refunded. */
  readonly payment: Payment
}

export type PaidInvoice = {
  readonly payment: Payment | null
  /** It was paid outside the provider, and marked as paid there. */
  readonly isElsewhere: boolean
  readonly totalMinor: bigint
  /** Less than the total if the customer had a balance at the provider. */
  readonly paidMinor: bigint
}

/** Payments and refunds as the provider lists them, page by page. */
export class PaymentLists {
  readonly #stripe: Stripe

  constructor(stripe: Stripe) {
    this.#stripe = stripe
  }

  /** Payments that succeeded between two times, both in whole seconds. */
  async *payments(from: string, to: string): AsyncIterable<Payment[]> {
    for await (const page of pagesOf((after) =>
      this.#stripe.charges.list(listParams(from, to, 'data.customer', after)),
    )) {
      yield page.map((one) => charge.parse(one)).flatMap((one) => (isPayment(one) ? [paymentOf(one)] : []))
    }
  }

  /** Refunds that were made and have neither failed nor been canceled. */
  async *refunds(from: string, to: string): AsyncIterable<Refund[]> {
    for await (const page of pagesOf((after) =>
      this.#stripe.refunds.list(listParams(from, to, 'data.charge', after)),
    )) {
      const made = page
        .map((one) => refund.parse(one))
        .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      yield await Promise.all(made.map((one) => this.#refundOf(one)))
    }
  }

  /** The payment of a payment intent; null if the provider has none. */
  async paymentOfIntent(id: string): Promise<Payment | null> {
    const intents = this.#stripe.paymentIntents
    const found = await unlessMissing(
      translated(intents.retrieve(id, { expand: ['latest_charge', 'latest_charge.customer'] })),
    )
    return this.#paymentIn(found?.latest_charge)
  }

  /** null if the provider has no such invoice. */
  async paidInvoice(id: string): Promise<PaidInvoice | null> {
    const found = await unlessMissing(
      translated(this.#stripe.invoices.retrieve(id, { expand: ['charge', 'charge.customer'] })),
    )
    if (!found) return null
    const { charge: paid, paid_out_of_band: isElsewhere, total, amount_paid } = invoice.parse(found)
    const amounts = { totalMinor: BigInt(total), paidMinor: BigInt(amount_paid) }
    return { payment: this.#paymentIn(paid), isElsewhere, ...amounts }
  }

  #paymentIn(found: unknown): Payment | null {
    const parsed = charge.safeParse(found)
    return parsed.success && isPayment(parsed.data) ? paymentOf(parsed.data) : null
  }

  /** The list does not expand a charge that the provider no longer keeps in full. */
  async #refundOf({ id, amount, currency, charge: of }: z.infer<typeof refund>): Promise<Refund> {
    const whole = typeof of === 'string' ? charge.parse(await translated(this.#stripe.charges.retrieve(of))) : of
    if (!whole) throw new Error(`refund ${id} of the payment provider names no charge`)
    return { refundId: id, amountMinor: BigInt(amount), currency, payment: paymentOf(whole) }
  }
}

export function openPaymentLists(config: PaymentConfig): PaymentLists {
  return new PaymentLists(openStripe(config))
}

type Listed = { readonly data: readonly { readonly id: string }[]; readonly has_more: boolean }

async function* pagesOf(list: (after: string | undefined) => Promise<Listed>): AsyncIterable<Listed['data']> {
  let after: string | undefined
  for (;;) {
    const { data, has_more } = await translated(list(after))
    if (data.length > 0) yield data
    after = data.at(-1)?.id
    if (!has_more || after === undefined) return
  }
}

function listParams(from: string, to: string, expand: string, after: string | undefined) {
  const created = { gte: Date.parse(from) / 1_000, lt: Date.parse(to) / 1_000 }
  return { created, limit: PAGE, expand: [expand], ...(after === undefined ? {} : { starting_after: after }) }
}

function isPayment({ status, captured }: Charge): boolean {
  return status === 'succeeded' && captured
}

function paymentOf(one: Charge): Payment {
  const { id, amount, amount_refunded, currency, created } = one
  const ofCustomer = typeof one.customer === 'object' ? one.customer?.metadata?.companyId : null
  return {
    chargeId: id,
    at: timeOf(created),
    amountMinor: BigInt(amount),
    refundedMinor: BigInt(amount_refunded),
    currency,
    reference: referenceOf(one),
    companyId: ownId(one.metadata?.companyId) ?? ownId(ofCustomer),
  }
}

function referenceOf({ metadata: said, invoice: of }: Charge): Reference | null {
  const purchaseId = ownId(said?.purchaseId)
  if (purchaseId) return `purchase ${purchaseId}`
  const invoiceId = typeof of === 'object' ? of?.id : of
  return invoiceId ? `invoice ${invoiceId}` : null
}
