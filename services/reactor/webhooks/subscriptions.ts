import { streamName } from '../../../contracts/streams.ts'
import { mustAsk, type SubscriptionNews, subscriptionDecider } from '../../../domain/subscription/decider.ts'
import {
  invoiceObject,
  subscriptionFactsOf,
  subscriptionObject,
  timeOf,
  type WebhookBody,
} from '../../platform/payments/providerObjects.ts'
import { companyOf, contextOf, NOT_OURS, saidAtOf, type WebhookParts } from './webhookParts.ts'

/** customer.subscription.*: what the provider says of a subscription. */
export async function subscriptionSaid(
  parts: WebhookParts,
  webhook: WebhookBody,
  news: SubscriptionNews,
): Promise<string> {
  const object = subscriptionObject.parse(webhook.data.object)
  const companyId = await companyOf(parts, object.customer, object.metadata)
  if (!companyId) return NOT_OURS
  const subscriptionId = object.id
  const stream = streamName('subscription', subscriptionId)
  const said = { facts: subscriptionFactsOf(object), saidAt: saidAtOf(webhook) }
  const state = await parts.commands.stateOf(subscriptionDecider, stream)
  const answer = mustAsk(state, said) ? subscriptionFactsOf(await parts.provider.subscription(subscriptionId)) : null
  await parts.commands.handle(
    subscriptionDecider,
    stream,
    { type: 'RecordSubscription', news, subscriptionId, companyId, ...said, answer },
    contextOf(webhook),
  )
  return `subscription ${subscriptionId}: ${said.facts.status}${answer ? `, settled as ${answer.status}` : ''}`
}

/** invoice.upcoming: there is no invoice yet, only a subscription that will be renewed. */
export async function renewalAnnounced(parts: WebhookParts, webhook: WebhookBody): Promise<string> {
  const invoice = invoiceObject.parse(webhook.data.object)
  const { subscription: subscriptionId, next_payment_attempt, period_end } = invoice
  const companyId =
    subscriptionId &&
    (await companyOf(parts, invoice.customer, invoice.subscription_details?.metadata, invoice.metadata))
  if (!subscriptionId || !companyId) return NOT_OURS
  const renewsAt = next_payment_attempt ?? period_end
  const amount = { amountMinor: String(Math.max(0, invoice.amount_due)), currency: invoice.currency }
  const about = { subscriptionId, companyId, saidAt: saidAtOf(webhook), renewsAt: renewsAt ? timeOf(renewsAt) : null }
  await parts.commands.handle(
    subscriptionDecider,
    streamName('subscription', subscriptionId),
    { type: 'AnnounceRenewal', ...about, ...amount },
    contextOf(webhook),
  )
  return `subscription ${subscriptionId} will be renewed`
}
