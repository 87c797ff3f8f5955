import type Stripe from 'stripe'
import type { InvoiceLine } from '../../contracts/events/postpaid.ts'
import { formatCredits } from '../../domain/credits.ts'
import type { Network } from '../../platform/network.ts'
import { openStripe, type PaymentConfig, PaymentProviderError, translated } from './paymentProvider.ts'
import { type InvoiceObject, invoiceObject } from './providerObjects.ts'

const PAGE = 100
/** The provider's clock may be behind ours. */
const CLOCK_SKEW_SECONDS = 24 * 60 * 60

/** The month of a company, and the content of its invoice. */
export type UsageInvoice = {
  readonly companyId: string
  readonly month: string
  readonly closedAt: string
  readonly currency: string
  readonly amountMinor: string
  readonly dueDays: number
  readonly lines: readonly InvoiceLine[]
}

export type NamedInvoice = InvoiceObject & { readonly id: string }

export function openUsageInvoices(config: PaymentConfig, network?: Network): UsageInvoices {
  return new UsageInvoices(openStripe(config, network))
}

/**
 * Invoices for the usage of postpaid companies. Each step can be repeated: idempotency keys collapse concurrent
 * attempts, and since the provider forgets those keys after a day, each step first checks what already exists.
 */
export class UsageInvoices {
  readonly #stripe: Stripe

  constructor(stripe: Stripe) {
    this.#stripe = stripe
  }

  /** Gives the customer an address if it has none. The provider refuses to invoice a customer without one. */
  async ensureContact(customerId: string, contact: { readonly email: string | null; readonly name: string }) {
    const customer = await translated(this.#stripe.customers.retrieve(customerId))
    if ('deleted' in customer && customer.deleted) {
      throw new PaymentProviderError(
        `customer ${customerId} was deleted at the provider`,
        'request',
        customer,
        'customer',
      )
    }
    if (!('email' in customer) || customer.email) return
    if (contact.email === null) {
      throw new PaymentProviderError(
        `invoices cannot be sent: ${contact.name} has no person with a mail address, and customer ${customerId} has none at the provider. Invite a person, or set the address at the provider`,
        'request',
        customer,
        'email',
      )
    }
    await translated(this.#stripe.customers.update(customerId, { email: contact.email, name: contact.name }))
  }

  /** The invoice of this month in any state; null if there is none. Found by its metadata, the oldest first. */
  async find(customerId: string, { companyId, month, closedAt }: UsageInvoice): Promise<NamedInvoice | null> {
    const since = Math.floor(Date.parse(closedAt) / 1_000) - CLOCK_SKEW_SECONDS
    const listParams = { customer: customerId, created: { gte: since }, limit: PAGE }
    const search = async () => {
      let found: Stripe.Invoice | null = null
      for await (const invoice of this.#stripe.invoices.list(listParams)) {
        const isIt = invoice.metadata?.companyId === companyId && invoice.metadata?.month === month
        // The list is sorted newest first.
        if (isIt) found = invoice
      }
      return found
    }
    const invoice = await translated(search())
    return invoice && named(invoice)
  }

  async create(customerId: string, { companyId, month, currency, dueDays }: UsageInvoice): Promise<NamedInvoice> {
    const invoice = await translated(
      this.#stripe.invoices.create(
        {
          customer: customerId,
          currency,
          collection_method: 'send_invoice',
          days_until_due: dueDays,
          auto_advance: false,
          pending_invoice_items_behavior: 'exclude',
          description: `Usage in ${month}`,
          metadata: { companyId, month },
        },
        { idempotencyKey: `tollgate:usage:${companyId}:${month}:${customerId}` },
      ),
    )
    return named(invoice)
  }

  /** Adds missing lines to a draft and opens it for payment. Returns the resulting invoice. */
  async complete(customerId: string, invoiceId: string, usage: UsageInvoice): Promise<NamedInvoice> {
    const before = named(await translated(this.#stripe.invoices.retrieve(invoiceId)))
    if (before.status !== 'draft') return before
    await this.#addLines(customerId, invoiceId, usage)
    const draft = named(await translated(this.#stripe.invoices.retrieve(invoiceId)))
    if (String(draft.total) !== usage.amountMinor || draft.currency !== usage.currency) {
      const both = `${draft.total} ${draft.currency} at the provider, ${usage.amountMinor} ${usage.currency} on the ledger`
      throw new PaymentProviderError(`draft ${invoiceId} has another amount: ${both}`, 'request', draft)
    }
    const idempotencyKey = `tollgate:usage-final:${invoiceId}`
    return named(
      await translated(this.#stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false }, { idempotencyKey })),
    )
  }

  /** It was paid outside the provider. One that is paid already stays as it is. */
  settle(invoiceId: string): Promise<NamedInvoice> {
    return this.#end(invoiceId, 'paid', () => this.#stripe.invoices.pay(invoiceId, { paid_out_of_band: true }))
  }

  /** Nothing is owed for it. */
  void(invoiceId: string): Promise<NamedInvoice> {
    return this.#end(invoiceId, 'void', () => this.#stripe.invoices.voidInvoice(invoiceId))
  }

  async #end(invoiceId: string, as: 'paid' | 'void', end: () => Promise<unknown>): Promise<NamedInvoice> {
    const before = named(await translated(this.#stripe.invoices.retrieve(invoiceId)))
    return before.status === as ? before : named(await translated(end()))
  }

  async #addLines(customer: string, invoice: string, { currency, lines }: UsageInvoice): Promise<void> {
    const present = new Set<string | undefined>()
    const list = async () => {
      for await (const { metadata } of this.#stripe.invoiceItems.list({ invoice, limit: PAGE }))
        present.add(metadata?.line)
    }
    await translated(list())
    for (const [index, line] of lines.entries()) {
      if (present.has(String(index))) continue
      const item = { customer, invoice, currency, amount: Number(line.amountMinor), description: lineText(line) }
      await translated(
        this.#stripe.invoiceItems.create(
          { ...item, metadata: { line: String(index) } },
          { idempotencyKey: `tollgate:usage-line:${invoice}:${index}` },
        ),
      )
    }
  }
}

function named(object: unknown): NamedInvoice {
  const invoice = invoiceObject.parse(object)
  const { id } = invoice
  if (!id) throw new PaymentProviderError('the provider returned an invoice without an id', 'request', object)
  return { ...invoice, id }
}

/** Equal lines give the same key, because it is part of requests that are repeated. */
export function lineText({ kind, alias, calls, tokensIn, tokensOut, creditsMicros }: InvoiceLine): string {
  const credits = `${formatCredits(BigInt(creditsMicros))} credits`
  switch (kind) {
    case 'USAGE':
      return `${alias ?? 'other models'}: ${calls} calls, ${tokensIn} tokens in, ${tokensOut} tokens out, ${credits}`
    case 'PREPAID':
      return creditsMicros.startsWith('-') ? `Prepaid credits: ${credits}` : `Rest of earlier months: ${credits}`
    case 'REFUND':
      return `Refunded credits: ${credits}`
    case 'ADJUSTMENT':
      return `Adjustments: ${credits}`
  }
}
