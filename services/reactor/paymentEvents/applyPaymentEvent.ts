import type { PaymentEventBody } from '../../../capabilities/payments/providerObjects.ts'
import type { PaymentEventType } from '../../../contracts/events/paymentEvent.ts'
import { unexpected } from '../../../domain/decider.ts'
import { topUpPaid } from '../topUp/settleTopUp.ts'
import { checkoutCompleted, checkoutEnded } from './checkout.ts'
import { disputeReported } from './disputes.ts'
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
import type { PaymentEventDependencies } from './paymentEventDependencies.ts'
import { chargeRefunded, refundReported } from './refunds.ts'
import { renewalAnnounced, subscriptionReported } from './subscriptions.ts'

/**
 * Turns a payment event into commands and returns a short description of the effect. Events may be applied in any order
 * and repeatedly: the deciders handle ordering and repetition.
 */
export function applyPaymentEvent(
  dependencies: PaymentEventDependencies,
  type: PaymentEventType,
  paymentEvent: PaymentEventBody,
): Promise<string> {
  switch (type) {
    case 'checkout.session.completed':
      return checkoutCompleted(dependencies, paymentEvent)
    case 'invoice.paid':
      return invoicePaid(dependencies, paymentEvent)
    case 'invoice.payment_failed':
      return invoiceReported(dependencies, paymentEvent, paymentFailed, 'PAYMENT_FAILED')
    case 'invoice.finalized':
      return invoiceReported(dependencies, paymentEvent, finalized, 'OPEN')
    case 'invoice.finalization_failed':
      return invoiceReported(dependencies, paymentEvent, finalizationFailed, 'FINALIZATION_FAILED')
    case 'invoice.payment_action_required':
      return invoiceReported(dependencies, paymentEvent, actionRequired, 'ACTION_REQUIRED')
    case 'invoice.upcoming':
      return renewalAnnounced(dependencies, paymentEvent)
    case 'customer.subscription.created':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionCreated')
    case 'customer.subscription.updated':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionUpdated')
    case 'customer.subscription.deleted':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionCanceled')
    case 'customer.subscription.trial_will_end':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionTrialEnding')
    case 'customer.subscription.paused':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionPaused')
    case 'customer.subscription.resumed':
      return subscriptionReported(dependencies, paymentEvent, 'SubscriptionResumed')
    case 'charge.refunded':
      return chargeRefunded(dependencies, paymentEvent)
    case 'checkout.session.async_payment_succeeded':
      return checkoutCompleted(dependencies, paymentEvent)
    case 'checkout.session.async_payment_failed':
      return checkoutEnded(dependencies, paymentEvent, 'the payment failed after the checkout')
    case 'checkout.session.expired':
      return checkoutEnded(dependencies, paymentEvent, null)
    case 'invoice.voided':
      return invoiceReported(dependencies, paymentEvent, voided, 'VOID')
    case 'invoice.marked_uncollectible':
      return invoiceReported(dependencies, paymentEvent, markedUncollectible, 'UNCOLLECTIBLE')
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return refundReported(dependencies, paymentEvent)
    case 'payment_intent.succeeded':
      return topUpPaid(dependencies, paymentEvent)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return disputeReported(dependencies, paymentEvent)
    default:
      return unexpected(type)
  }
}
