import { REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { book, grantIdOf } from '../../../capabilities/payments/bookings.ts'
import {
  invoiceFactsOf,
  ownId,
  type PaymentEventBody,
  type SessionObject,
  sessionObject,
} from '../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../contracts/streams.ts'
import { invoiceDecider } from '../../../domain/invoice/decider.ts'
import { purchaseDecider } from '../../../domain/purchase/decider.ts'
import { subscriptionDecider } from '../../../domain/subscription/decider.ts'
import { type MethodSaving, recordSavedMethod } from '../topUp/savedMethod.ts'
import {
  type Cause,
  companyOf,
  contextOf,
  NOT_OURS,
  type PaymentEventDependencies,
  refundIdOf,
  saidAtOf,
} from './paymentEventDependencies.ts'

/** checkout.session.completed: a pack was bought, or a subscription started. */
export async function checkoutCompleted(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const session = sessionObject.parse(paymentEvent.data.object)
  if (session.mode === 'subscription') return subscriptionBegun(dependencies, paymentEvent, session)
  const purchaseId = ownId(session.metadata?.purchaseId)
  if (session.mode !== 'payment' || purchaseId === null) return 'nothing: the session is not one of our purchases'
  if (session.payment_status !== 'paid' && session.payment_status !== 'no_payment_required') {
    return `nothing: purchase ${purchaseId} is not paid yet`
  }
  return packBought(dependencies, paymentEvent, session, purchaseId)
}

/** checkout.session.expired, or a payment that failed after the checkout: `reason` is null if no payment was tried. */
export async function checkoutEnded(
  { commands }: Pick<PaymentEventDependencies, 'commands'>,
  paymentEvent: PaymentEventBody,
  reason: string | null,
): Promise<string> {
  const session = sessionObject.parse(paymentEvent.data.object)
  const purchaseId = ownId(session.metadata?.purchaseId)
  if (session.mode !== 'payment' || purchaseId === null) return 'nothing: the session is not one of our purchases'
  const at = saidAtOf(paymentEvent)
  const { events } = await commands.handle(
    purchaseDecider,
    streamName('purchase', purchaseId),
    reason === null ? { type: 'ExpirePurchase', purchaseId, at } : { type: 'FailPurchase', purchaseId, reason, at },
    contextOf(paymentEvent),
  )
  return events.length > 0 ? `purchase ${purchaseId} has ended` : `nothing: purchase ${purchaseId} has ended before`
}

export type PurchaseDependencies = Pick<PaymentEventDependencies, 'commands' | 'ledger'> & {
  readonly provider: Pick<PaymentEventDependencies['provider'], 'invoice'>
  readonly savedPayments: MethodSaving['savedPayments']
}

/** A paid session; a payment without a checkout page has no id of one. */
export type PaidSession = Pick<
  SessionObject,
  'payment_intent' | 'amount_total' | 'currency' | 'invoice' | 'metadata'
> & {
  readonly id: string | null
}

/** Also for a session that the provider was asked about, because its event did not arrive. */
export async function packBought(
  dependencies: PurchaseDependencies,
  cause: Cause,
  session: PaidSession,
  purchaseId: string,
): Promise<string> {
  const saidAt = saidAtOf(cause)
  const paid = { paidMinor: String(session.amount_total ?? 0), currency: session.currency ?? 'usd' }
  const { events } = await dependencies.commands.handle(
    purchaseDecider,
    streamName('purchase', purchaseId),
    {
      type: 'CompletePurchase',
      purchaseId,
      sessionId: session.id,
      paymentIntentId: session.payment_intent,
      ...paid,
      grantId: grantIdOf('purchase', purchaseId),
      refundId: refundIdOf(cause),
      saidAt,
    },
    contextOf(cause),
  )
  await book(dependencies.ledger, cause.id, REACTOR, events)
  const completed = events.find((event) => event.type === 'PurchaseCompleted')
  if (!completed) return `nothing: purchase ${purchaseId} was completed before`
  const { companyId } = completed.data
  await recordInvoice(dependencies, cause, session, { purchaseId, companyId, ...paid })
  await recordSavedMethod(dependencies, session, { purchaseId, companyId, at: saidAt })
  return `purchase ${purchaseId} is completed`
}

type PaidPurchase = {
  readonly purchaseId: string
  readonly companyId: string
  readonly paidMinor: string
  readonly currency: string
}

/** Records the provider's invoice if there is one, otherwise an equivalent one of our own. */
async function recordInvoice(
  { commands, provider }: PurchaseDependencies,
  cause: Cause,
  session: PaidSession,
  { purchaseId, companyId, paidMinor, currency }: PaidPurchase,
): Promise<void> {
  const saidAt = saidAtOf(cause)
  const invoiceId = session.invoice ?? `purchase_${purchaseId}`
  const own = {
    status: 'PAID',
    providerInvoiceId: null,
    subscriptionId: null,
    amountMinor: paidMinor,
    currency,
    issuedAt: saidAt,
    dueAt: null,
    paidAt: saidAt,
    payUrl: null,
    pdfUrl: null,
  } as const
  const facts = session.invoice
    ? invoiceFactsOf({ ...(await provider.invoice(session.invoice)), id: session.invoice }, 'PAID')
    : own
  const about = { invoiceId, companyId, saidAt, facts, grant: null, refundId: refundIdOf(cause) }
  await commands.handle(
    invoiceDecider,
    streamName('invoice', invoiceId),
    { type: 'RecordPayment', ...about },
    contextOf(cause),
  )
}

async function subscriptionBegun(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  session: SessionObject,
): Promise<string> {
  const { subscription: subscriptionId, metadata, customer } = session
  const companyId = subscriptionId && (await companyOf(dependencies, customer, metadata))
  if (!subscriptionId || !companyId) return NOT_OURS
  const about = { subscriptionId, companyId, saidAt: saidAtOf(paymentEvent), sessionId: session.id }
  const buyer = { planId: ownId(metadata?.planId), userId: ownId(metadata?.userId) }
  await dependencies.commands.handle(
    subscriptionDecider,
    streamName('subscription', subscriptionId),
    { type: 'CheckOutSubscription', ...about, ...buyer },
    contextOf(paymentEvent),
  )
  return `subscription ${subscriptionId} is paid for`
}
