import type { WebhookBody } from '../../../capabilities/payments/providerObjects.ts'
import type { WebhookType } from '../../../contracts/events/webhook.ts'
import { unexpected } from '../../../domain/decider.ts'
import { checkoutCompleted, checkoutEnded } from './checkout.ts'
import {
  actionRequired,
  finalizationFailed,
  finalized,
  invoicePaid,
  invoiceReported,
  markedUncollectible,
  paymentFailed,
  voided,
} from './invoices.ts'
import { chargeRefunded, disputeReported, refundReported } from './refunds.ts'
import { renewalAnnounced, subscriptionReported } from './subscriptions.ts'
import type { WebhookDependencies } from './webhookDependencies.ts'

/**
 * Turns a provider event into commands and returns a short description of the effect. Events may be applied in any order
 * and repeatedly: the deciders handle ordering and repetition.
 */
export function applyWebhook(
  dependencies: WebhookDependencies,
  type: WebhookType,
  webhook: WebhookBody,
): Promise<string> {
  switch (type) {
    case 'checkout.session.completed':
      return checkoutCompleted(dependencies, webhook)
    case 'invoice.paid':
      return invoicePaid(dependencies, webhook)
    case 'invoice.payment_failed':
      return invoiceReported(dependencies, webhook, paymentFailed, 'PAYMENT_FAILED')
    case 'invoice.finalized':
      return invoiceReported(dependencies, webhook, finalized, 'OPEN')
    case 'invoice.finalization_failed':
      return invoiceReported(dependencies, webhook, finalizationFailed, 'FINALIZATION_FAILED')
    case 'invoice.payment_action_required':
      return invoiceReported(dependencies, webhook, actionRequired, 'ACTION_REQUIRED')
    case 'invoice.upcoming':
      return renewalAnnounced(dependencies, webhook)
    case 'customer.subscription.created':
      return subscriptionReported(dependencies, webhook, 'SubscriptionCreated')
    case 'customer.subscription.updated':
      return subscriptionReported(dependencies, webhook, 'SubscriptionUpdated')
    case 'customer.subscription.deleted':
      return subscriptionReported(dependencies, webhook, 'SubscriptionCanceled')
    case 'customer.subscription.trial_will_end':
      return subscriptionReported(dependencies, webhook, 'SubscriptionTrialEnding')
    case 'customer.subscription.paused':
      return subscriptionReported(dependencies, webhook, 'SubscriptionPaused')
    case 'customer.subscription.resumed':
      return subscriptionReported(dependencies, webhook, 'SubscriptionResumed')
    case 'charge.refunded':
      return chargeRefunded(dependencies, webhook)
    case 'checkout.session.async_payment_succeeded':
      return checkoutCompleted(dependencies, webhook)
    case 'checkout.session.async_payment_failed':
      return checkoutEnded(dependencies, webhook, 'the payment failed after the checkout')
    case 'checkout.session.expired':
      return checkoutEnded(dependencies, webhook, null)
    case 'invoice.voided':
      return invoiceReported(dependencies, webhook, voided, 'VOID')
    case 'invoice.marked_uncollectible':
      return invoiceReported(dependencies, webhook, markedUncollectible, 'UNCOLLECTIBLE')
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundReported(dependencies, webhook)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return Promise.resolve(disputeReported(webhook))
    default:
      return unexpected(type)
  }
}
