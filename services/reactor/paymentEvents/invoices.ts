import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { book, grantIdOf } from '../../../capabilities/payments/bookings.ts'
import { planIdOfProduct } from '../../../capabilities/payments/offers.ts'
import {
  type InvoiceObject,
  invoiceFactsOf,
  invoiceObject,
  ownId,
  type PaymentEventBody,
  timeOf,
} from '../../../capabilities/payments/providerObjects.ts'
import type { InvoiceGrant, InvoiceStatus } from '../../../contracts/events/invoice.ts'
import { type LotTerms, WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import { streamName } from '../../../contracts/streams.ts'
import { Refusal } from '../../../domain/decider.ts'
import { type InvoiceNews, invoiceDecider, mustAsk } from '../../../domain/invoice/decider.ts'
import { planDecider } from '../../../domain/plan/decider.ts'
import {
  companyOf,
  contextOf,
  NOT_OURS,
  type PaymentEventDependencies,
  refundIdOf,
  saidAtOf,
} from './paymentEventDependencies.ts'
import { recordWithAnswer } from './recordWithAnswer.ts'

type Named = InvoiceObject & { readonly id: string }

async function named(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<{ invoice: Named; companyId: string } | null> {
  const { id, ...invoice } = invoiceObject.parse(paymentEvent.data.object)
  if (!id) throw new Refusal('INVALID', 'the invoice has no id')
  const { customer, metadata, subscription_details } = invoice
  const companyId = await companyOf(dependencies, customer, metadata, subscription_details?.metadata)
  return companyId ? { invoice: { ...invoice, id }, companyId } : null
}

/** invoice.paid: the only event that grants the credits of a subscription, once per invoice. */
export async function invoicePaid(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const about = await named(dependencies, paymentEvent)
  if (!about) return NOT_OURS
  const { invoice, companyId } = about
  const invoiceId = invoice.id
  const { events } = await dependencies.commands.handle(
    invoiceDecider,
    streamName('invoice', invoiceId),
    {
      type: 'RecordPayment',
      invoiceId,
      companyId,
      saidAt: saidAtOf(paymentEvent),
      facts: invoiceFactsOf(invoice, 'PAID'),
      grant: await grantOf(dependencies, invoice, saidAtOf(paymentEvent)),
      refundId: refundIdOf(paymentEvent),
    },
    contextOf(paymentEvent),
  )
  await book(dependencies.ledger, paymentEvent.id, REACTOR, events)
  return events.length > 0 ? `invoice ${invoiceId} is paid` : `nothing: invoice ${invoiceId} was paid before`
}

/** The other invoice.* events, with the status that they imply. */
export async function invoiceReported(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  newsOf: (invoice: InvoiceObject) => InvoiceNews,
  status: InvoiceStatus,
): Promise<string> {
  const about = await named(dependencies, paymentEvent)
  if (!about) return NOT_OURS
  const { invoice, companyId } = about
  const invoiceId = invoice.id
  const report = { facts: invoiceFactsOf(invoice, status), saidAt: saidAtOf(paymentEvent) }
  const news = newsOf(invoice)
  const { answer } = await recordWithAnswer(dependencies, paymentEvent, {
    decider: invoiceDecider,
    stream: streamName('invoice', invoiceId),
    mustAsk: (state) => mustAsk(state, report),
    ask: async () => invoiceFactsOf({ ...(await dependencies.provider.invoice(invoiceId)), id: invoiceId }, null),
    command: (answer) => ({ type: 'RecordInvoice' as const, news, invoiceId, companyId, ...report, answer }),
  })
  return `invoice ${invoiceId}: ${report.facts.status}${answer ? `, settled as ${answer.status}` : ''}`
}

export const finalized = () => ({ type: 'InvoiceFinalized' }) as const
export const voided = () => ({ type: 'InvoiceVoided' }) as const
export const markedUncollectible = () => ({ type: 'InvoiceMarkedUncollectible' }) as const
export const actionRequired = () => ({ type: 'InvoiceActionRequired' }) as const
export const paymentFailed = ({ next_payment_attempt: next }: InvoiceObject): InvoiceNews => ({
  type: 'InvoicePaymentFailed',
  nextAttemptAt: next ? timeOf(next) : null,
})
export const finalizationFailed = ({ last_finalization_error: error }: InvoiceObject): InvoiceNews => ({
  type: 'InvoiceFinalizationFailed',
  reason: error?.message ?? 'the provider gives no reason',
})

/**
 * The credits that were paid for: all credits of a plan for its whole price, and a proportion for part of a period. A
 * free period, such as a trial, grants none.
 */
async function grantOf(
  dependencies: PaymentEventDependencies,
  invoice: Named,
  paidAt: string,
): Promise<InvoiceGrant | null> {
  if (invoice.subscription === null) return null
  let credits = 0n
  let share: string | null = null
  for (const { planId, paid, whole } of paidPlans(invoice)) {
    const plan = await dependencies.commands.stateOf(planDecider, streamName('plan', planId))
    if (plan.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no plan ${planId}`)
    credits += (plan.creditsPerPeriodMicros * paid) / whole
    // Lines of a plan that is left come before those of the new one.
    share = plan.rolloverShare
  }
  if (credits <= 0n) return null
  return {
    grantId: grantIdOf('invoice', invoice.id),
    creditsMicros: credits.toString(),
    lot: lotOf(invoice, share, paidAt),
  }
}

/**
 * The credits of a period end with it, and a share of what is unused with the next one. A payment that comes after the
 * period is for as long from then on.
 */
function lotOf({ lines, created }: Named, share: string | null, paidAt: string): LotTerms {
  if (share === null) return WITHOUT_EXPIRY
  const period = (lines?.data ?? []).map((line) => line.period).findLast((each) => each != null)
  const from = period?.start ?? created
  const lasts = period && period.end > from ? period.end - from : MONTH_SECONDS
  const paid = Math.floor(Date.parse(paidAt) / 1_000)
  const end = from + lasts > paid ? from + lasts : paid + lasts
  const rollover = share === '0' ? null : { share, expiresAt: timeOf(end + lasts) }
  return { ...WITHOUT_EXPIRY, expiresAt: timeOf(end), rollover }
}

/** The longest month: credits of a plan whose invoice names no period do not end early. */
const MONTH_SECONDS = 31 * 86_400

type PaidPlan = { readonly planId: string; readonly paid: bigint; readonly whole: bigint }

function paidPlans({ lines, total, subscription_details }: Named): PaidPlan[] {
  const ofPlans = (lines?.data ?? []).flatMap(({ amount, quantity, price, proration }): PaidPlan[] => {
    const planId = price?.product ? planIdOfProduct(price.product) : null
    if (!planId) return []
    // A free plan counts as paid, but not a second time for the part of its period that another plan takes over.
    if (!price?.unit_amount) return proration ? [] : [{ planId, paid: BigInt(quantity ?? 1), whole: 1n }]
    return [{ planId, paid: BigInt(amount), whole: BigInt(price.unit_amount) }]
  })
  if (ofPlans.length > 0) return ofPlans
  const planId = ownId(subscription_details?.metadata?.planId)
  return planId && total > 0 ? [{ planId, paid: 1n, whole: 1n }] : []
}
