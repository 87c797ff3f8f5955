import type { PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { streamName } from '../../contracts/streams.ts'
import { companyDecider } from '../../domain/company/decider.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { companyById } from '../../projections/companies/queries.ts'
import { REACTOR } from '../commands/commandHandler.ts'
import { companyAddresses } from '../mail/companyAddresses.ts'
import { PaymentProviderError } from '../payments/paymentProvider.ts'
import { invoiceFactsOf, timeOf } from '../payments/providerObjects.ts'
import type { NamedInvoice, UsageInvoice } from '../payments/usageInvoices.ts'
import type { PostpaidParts } from './postpaidParts.ts'

/** A closed month, and its cost according to its range of the ledger. */
export type BilledMonth = Omit<UsageInvoice, 'currency' | 'dueDays'> & {
  readonly terms: PostpaidTerms
  readonly creditsMicros: string
}

/**
 * Creates the invoice of a billed month at the payment provider. Every step can be repeated, and the draft is recorded
 * before it can be paid: a crash between any two steps still ends in one invoice.
 */
export async function issueInvoice(parts: PostpaidParts, billed: BilledMonth): Promise<void> {
  const { log, usageInvoices } = parts
  if (billed.amountMinor === '0') return settleFree(parts, billed)
  const { companyId, month, closedAt, terms, amountMinor, lines } = billed
  const { currency, dueDays } = terms
  const usage = { companyId, month, closedAt, currency, dueDays, amountMinor, lines }
  const customerId = await customerOf(parts, companyId)
  const invoice = (await usageInvoices.find(customerId, usage)) ?? (await usageInvoices.create(customerId, usage))
  await recordDraft(parts, invoice.id, usage, billed.creditsMicros)
  const issued = await usageInvoices.complete(customerId, invoice.id, usage)
  await recordFinalized(parts, issued, companyId)
  log.info({ companyId, month, invoice: issued.id, amountMinor: usage.amountMinor }, 'invoice for usage issued')
}

/** Credits of a free plan are owed, but nothing has to be paid for them. */
async function settleFree({ engines, clock }: PostpaidParts, billed: BilledMonth): Promise<void> {
  const { companyId, month } = billed
  const amountMicros = BigInt(billed.creditsMicros)
  const settlement = { companyId, month, invoiceId: null, amountMicros, at: isoTime(clock.now()) }
  const draft = engines.ledger.draft({ type: 'SettleInvoice', ...settlement })
  await engines.ledger.book(draft, draft.eventId, REACTOR)
}

/** The company's customer at the provider, with an address that invoices can be sent to. */
async function customerOf(parts: PostpaidParts, companyId: string): Promise<string> {
  const { engines, provider, usageInvoices } = parts
  const { database, commands } = engines
  const company = await companyById(database, companyId)
  if (!company) throw new Error(`company ${companyId} is not in the read model yet`)
  const [email = null] = await companyAddresses(engines, companyId, 1)
  const contact = { email, name: company.name }
  const state = await commands.stateOf(companyDecider, streamName('company', companyId))
  const known = (state.status === 'registered' && state.customerId) || null
  const newCustomer = async (replaces: string | null) => {
    const customerId = await provider.createCustomer(companyId, replaces)
    await assignCustomer(parts, companyId, customerId, replaces)
    await usageInvoices.ensureContact(customerId, contact)
    return customerId
  }
  if (known === null) return newCustomer(null)
  try {
    await usageInvoices.ensureContact(known, contact)
    return known
  } catch (error) {
    // The provider no longer knows the customer, for example after leaving test mode.
    if (!(error instanceof PaymentProviderError && (error.param === 'customer' || error.param === 'id'))) throw error
    return newCustomer(known)
  }
}

async function assignCustomer(
  { engines, clock }: PostpaidParts,
  companyId: string,
  customerId: string,
  replaces: string | null,
): Promise<void> {
  const id = `customer:${customerId}`
  await engines.commands.handle(
    companyDecider,
    streamName('company', companyId),
    { type: 'AssignPaymentCustomer', companyId, customerId, replaces, at: isoTime(clock.now()) },
    { commandId: id, correlationId: id, actor: REACTOR },
  )
}

async function recordDraft(
  { engines, clock }: PostpaidParts,
  invoiceId: string,
  { companyId, month, lines }: UsageInvoice,
  creditsMicros: string,
): Promise<void> {
  const id = `usage draft:${invoiceId}`
  await engines.commands.handle(
    invoiceDecider,
    streamName('invoice', invoiceId),
    { type: 'DraftUsageInvoice', invoiceId, companyId, month, creditsMicros, lines, at: isoTime(clock.now()) },
    { commandId: id, correlationId: id, actor: REACTOR },
  )
}

/** Usually the provider's event has reported it; if that event was lost, the invoice must not stay unknown. */
async function recordFinalized({ engines }: PostpaidParts, invoice: NamedInvoice, companyId: string): Promise<void> {
  const invoiceId = invoice.id
  const stream = streamName('invoice', invoiceId)
  const { known } = await engines.commands.stateOf(invoiceDecider, stream)
  if (known !== null && known.facts.status !== 'DRAFT') return
  const saidAt = timeOf(invoice.status_transitions?.finalized_at ?? invoice.created)
  const id = `usage final:${invoiceId}`
  const report = { invoiceId, companyId, saidAt, facts: invoiceFactsOf(invoice, null) }
  await engines.commands.handle(
    invoiceDecider,
    stream,
    { type: 'RecordInvoice', news: { type: 'InvoiceFinalized' }, ...report, answer: null },
    { commandId: id, correlationId: id, actor: REACTOR },
  )
}
