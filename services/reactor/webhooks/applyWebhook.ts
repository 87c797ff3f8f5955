import type { WebhookType } from '../../../contracts/events/webhook.ts'
import { unexpected } from '../../../domain/decider.ts'
import type { WebhookBody } from '../../platform/payments/providerObjects.ts'
import { checkoutCompleted } from './checkout.ts'
import { actionRequired, finalizationFailed, finalized, invoicePaid, invoiceSaid, paymentFailed } from './invoices.ts'
import { chargeRefunded } from './refunds.ts'
import { renewalAnnounced, subscriptionSaid } from './subscriptions.ts'
import type { WebhookParts } from './webhookParts.ts'

/**
 * Turns an event of the provider into commands, and tells in a few words what came of it. Safe in any order and any
 * number of times: what orders and what counts once is in the deciders.
 */
export function applyWebhook(parts: WebhookParts, type: WebhookType, webhook: WebhookBody): Promise<string> {
  switch (type) {
    case 'checkout.session.completed':
      return checkoutCompleted(parts, webhook)
    case 'invoice.paid':
      return invoicePaid(parts, webhook)
    case 'invoice.payment_failed':
      return invoiceSaid(parts, webhook, paymentFailed, 'PAYMENT_FAILED')
    case 'invoice.finalized':
      return invoiceSaid(parts, webhook, finalized, 'OPEN')
    case 'invoice.finalization_failed':
      return invoiceSaid(parts, webhook, finalizationFailed, 'FINALIZATION_FAILED')
    case 'invoice.payment_action_required':
      return invoiceSaid(parts, webhook, actionRequired, 'ACTION_REQUIRED')
    case 'invoice.upcoming':
      return renewalAnnounced(parts, webhook)
    case 'customer.subscription.created':
      return subscriptionSaid(parts, webhook, 'SubscriptionCreated')
    case 'customer.subscription.updated':
      return subscriptionSaid(parts, webhook, 'SubscriptionUpdated')
    case 'customer.subscription.deleted':
      return subscriptionSaid(parts, webhook, 'SubscriptionCanceled')
    case 'customer.subscription.trial_will_end':
      return subscriptionSaid(parts, webhook, 'SubscriptionTrialEnding')
    case 'customer.subscription.paused':
      return subscriptionSaid(parts, webhook, 'SubscriptionPaused')
    case 'customer.subscription.resumed':
      return subscriptionSaid(parts, webhook, 'SubscriptionResumed')
    case 'charge.refunded':
      return chargeRefunded(parts, webhook)
    default:
      return unexpected(type)
  }
}
