import {
  invoiceObject,
  type PaymentEventBody,
  subscriptionFactsOf,
  subscriptionObject,
  timeOf,
} from '../../../capabilities/payments/providerObjects.ts'
import { streamName } from '../../../contracts/streams.ts'
import { mustAsk, type SubscriptionNews, subscriptionDecider } from '../../../domain/subscription/decider.ts'
import { companyOf, contextOf, NOT_OURS, type PaymentEventDependencies, saidAtOf } from './paymentEventDependencies.ts'
import { recordWithAnswer } from './recordWithAnswer.ts'

/** customer.subscription.*: the provider's reports on a subscription. */
export async function subscriptionReported(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
  news: SubscriptionNews,
): Promise<string> {
  const object = subscriptionObject.parse(paymentEvent.data.object)
  const companyId = await companyOf(dependencies, object.customer, object.metadata)
  if (!companyId) return NOT_OURS
  const subscriptionId = object.id
  const report = { facts: subscriptionFactsOf(object), saidAt: saidAtOf(paymentEvent) }
  const { answer } = await recordWithAnswer(dependencies, paymentEvent, {
    decider: subscriptionDecider,
    stream: streamName('subscription', subscriptionId),
    mustAsk: (state) => mustAsk(state, report),
    ask: async () => subscriptionFactsOf(await dependencies.provider.subscription(subscriptionId)),
    command: (answer) => ({ type: 'RecordSubscription' as const, news, subscriptionId, companyId, ...report, answer }),
  })
  return `subscription ${subscriptionId}: ${report.facts.status}${answer ? `, settled as ${answer.status}` : ''}`
}

/** invoice.upcoming: a subscription will be renewed; there is no invoice yet. */
export async function renewalAnnounced(
  dependencies: PaymentEventDependencies,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  const invoice = invoiceObject.parse(paymentEvent.data.object)
  const { subscription: subscriptionId, next_payment_attempt, period_end } = invoice
  const companyId =
    subscriptionId &&
    (await companyOf(dependencies, invoice.customer, invoice.subscription_details?.metadata, invoice.metadata))
  if (!subscriptionId || !companyId) return NOT_OURS
  const renewsAt = next_payment_attempt ?? period_end
  const amount = { amountMinor: String(Math.max(0, invoice.amount_due)), currency: invoice.currency }
  const about = {
    subscriptionId,
    companyId,
    saidAt: saidAtOf(paymentEvent),
    renewsAt: renewsAt ? timeOf(renewsAt) : null,
  }
  await dependencies.commands.handle(
    subscriptionDecider,
    streamName('subscription', subscriptionId),
    { type: 'AnnounceRenewal', ...about, ...amount },
    contextOf(paymentEvent),
  )
  return `subscription ${subscriptionId} will be renewed`
}
