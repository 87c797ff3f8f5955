import { creditPackDecider } from '../../domain/creditPack/decider.ts'
import { unexpected } from '../../domain/decider.ts'
import { invoiceDecider } from '../../domain/invoice/decider.ts'
import { paymentEventDecider } from '../../domain/paymentEvent/decider.ts'
import { planDecider } from '../../domain/plan/decider.ts'
import { purchaseDecider } from '../../domain/purchase/decider.ts'
import { subscriptionDecider } from '../../domain/subscription/decider.ts'
import { invoiceFacts, second, subscriptionFacts } from '../support/events/billingEvents.ts'
import { type StepParts, sending } from './sending.ts'

export const PAYMENT_ACTS = [
  'createPlan',
  'pricePlan',
  'retirePlan',
  'updatePlan',
  'createPack',
  'pricePack',
  'updatePack',
  'retirePack',
  'startPurchase',
  'completePurchase',
  'refundPurchase',
  'subscriptionSaid',
  'subscriptionCanceled',
  'checkedOut',
  'announced',
  'deactivated',
  'finalized',
  'paymentFailed',
  'paid',
  'refundInvoice',
  'received',
  'failed',
  'replayed',
  'processed',
] as const
export type PaymentAct = (typeof PAYMENT_ACTS)[number]

/** Commands of the backend and the reactor, about few things, so that commands concern the same ones. */
export async function carryOutPayment(parts: StepParts, act: PaymentAct): Promise<void> {
  const { companyId, number, id } = parts
  const handle = sending(parts)
  const at = second(number)
  const saidAt = second(number % 3)
  const askedAt = second((number * 7) % 20)
  const [planId, packId, purchaseId] = [id('plan', number), id('pack', number), id('purchase', companyId, number % 2)]
  const object = id('object', companyId).replaceAll('-', '')
  const subscription = { subscriptionId: `sub_${object}`, companyId, saidAt }
  const invoice = { invoiceId: `in_${object}`, companyId, saidAt }
  const eventId = `evt_${object}`
  const refund = { chargedMinor: '1000', refundedMinor: String(100 * (number + 1)) }
  const refundId = id('refund', act, companyId, number)
  const grantId = id('grant of', companyId, number)
  const price = { price: '10', currency: 'usd' }
  const ids = { productId: 'prod_1', priceId: `price_${number}` }
  const facts = subscriptionFacts({ cancelAtPeriodEnd: number % 2 === 0 })
  const canceled = subscriptionFacts({ status: 'CANCELED', endedAt: at })

  switch (act) {
    case 'createPlan': {
      const plan = { planId, name: 'Team', billingMode: 'PREPAID', creditsPerPeriodMicros: 5n, ...price, at } as const
      return handle('plan', planId, planDecider, { type: 'CreatePlan', ...plan })
    }
    case 'pricePlan':
      return handle('plan', planId, planDecider, { type: 'PricePlan', planId, ...ids, at })
    case 'retirePlan':
      return handle('plan', planId, planDecider, { type: 'RetirePlan', planId, at })
    case 'updatePlan':
      return handle('plan', planId, planDecider, { type: 'UpdatePlan', planId, changes: { sortOrder: number }, at })
    case 'createPack': {
      const pack = { packId, name: 'Starter', creditsMicros: 7n, sortOrder: number, ...price, at }
      return handle('creditPack', packId, creditPackDecider, { type: 'CreateCreditPack', ...pack })
    }
    case 'pricePack':
      return handle('creditPack', packId, creditPackDecider, { type: 'PriceCreditPack', packId, ...ids, at })
    case 'updatePack': {
      const changes = { name: `Pack ${number}` }
      return handle('creditPack', packId, creditPackDecider, { type: 'UpdateCreditPack', packId, changes, at })
    }
    case 'retirePack':
      return handle('creditPack', packId, creditPackDecider, { type: 'RetireCreditPack', packId, at })
    case 'startPurchase': {
      const buyer = {
        companyId,
        userId: id('user', companyId),
        packId,
        creditsMicros: '1000',
        sessionId: 'cs_1',
        expiresAt: at,
        ...price,
      }
      return handle('purchase', purchaseId, purchaseDecider, { type: 'StartPurchase', purchaseId, ...buyer, at })
    }
    case 'completePurchase': {
      const payment = { sessionId: 'cs_1', paymentIntentId: null, paidMinor: '1000', currency: 'usd' }
      const command = { type: 'CompletePurchase', purchaseId, ...payment, grantId, refundId, saidAt } as const
      return handle('purchase', purchaseId, purchaseDecider, command)
    }
    case 'refundPurchase': {
      const command = {
        type: 'RefundPurchase',
        purchaseId,
        refund,
        refundId,
        saidAt,
        answer: { facts: refund, askedAt },
      } as const
      return handle('purchase', purchaseId, purchaseDecider, command)
    }
    case 'subscriptionSaid': {
      const command = {
        type: 'RecordSubscription',
        news: 'SubscriptionUpdated',
        facts,
        answer: { facts, askedAt },
      } as const
      return handle('subscription', subscription.subscriptionId, subscriptionDecider, { ...command, ...subscription })
    }
    case 'subscriptionCanceled': {
      const command = {
        type: 'RecordSubscription',
        news: 'SubscriptionCanceled',
        facts: canceled,
        answer: null,
      } as const
      return handle('subscription', subscription.subscriptionId, subscriptionDecider, { ...command, ...subscription })
    }
    case 'checkedOut': {
      const session = { type: 'CheckOutSubscription', sessionId: 'cs_2', planId, userId: null } as const
      return handle('subscription', subscription.subscriptionId, subscriptionDecider, { ...session, ...subscription })
    }
    case 'announced': {
      const renewal = { type: 'AnnounceRenewal', amountMinor: '4900', currency: 'usd', renewsAt: at } as const
      return handle('subscription', subscription.subscriptionId, subscriptionDecider, { ...renewal, ...subscription })
    }
    case 'deactivated': {
      const { subscriptionId } = subscription
      const command = { type: 'DeactivateSubscription', subscriptionId, at } as const
      return handle('subscription', subscriptionId, subscriptionDecider, command)
    }
    case 'finalized': {
      const command = { type: 'RecordInvoice', news: { type: 'InvoiceFinalized' }, answer: null } as const
      return handle('invoice', invoice.invoiceId, invoiceDecider, { ...command, ...invoice, facts: invoiceFacts() })
    }
    case 'paymentFailed': {
      const news = { type: 'InvoicePaymentFailed', nextAttemptAt: null } as const
      const failed = invoiceFacts({ status: 'PAYMENT_FAILED' })
      const command = { type: 'RecordInvoice', news, facts: failed, answer: { facts: failed, askedAt } } as const
      return handle('invoice', invoice.invoiceId, invoiceDecider, { ...command, ...invoice })
    }
    case 'paid': {
      const paid = {
        facts: invoiceFacts({ status: 'PAID', paidAt: saidAt }),
        grant: { grantId, creditsMicros: '9', lot: null },
      }
      return handle('invoice', invoice.invoiceId, invoiceDecider, {
        type: 'RecordPayment',
        ...paid,
        refundId,
        ...invoice,
      })
    }
    case 'refundInvoice':
      return handle('invoice', invoice.invoiceId, invoiceDecider, {
        type: 'RefundInvoice',
        refund,
        answer: { facts: refund, askedAt },
        refundId,
        ...invoice,
      })
    case 'received': {
      const received = { paymentEventType: 'invoice.paid', userId: null, body: '{}', saidAt } as const
      return handle('webhook', eventId, paymentEventDecider, { type: 'ReceivePaymentEvent', eventId, ...received, at })
    }
    case 'failed': {
      const failure = { eventId, attempt: 1 + (number % 2), error: 'a plan', at }
      return handle('webhook', eventId, paymentEventDecider, { type: 'FailPaymentEvent', ...failure })
    }
    case 'processed': {
      const success = { eventId, attempt: 1 + (number % 2), effect: 'a plan', at }
      return handle('webhook', eventId, paymentEventDecider, { type: 'CompletePaymentEvent', ...success })
    }
    case 'replayed':
      return handle('webhook', eventId, paymentEventDecider, { type: 'ReplayPaymentEvent', eventId, at })
    default:
      return unexpected(act)
  }
}
