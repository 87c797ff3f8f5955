import type { DisputeEvent, DisputeFacts } from '../../../contracts/events/dispute.ts'
import type { InvoiceFacts } from '../../../contracts/events/invoice.ts'
import type { PurchaseEvent } from '../../../contracts/events/purchase.ts'
import type { SubscriptionFacts } from '../../../contracts/events/subscription.ts'

export const COMPANY = '11111111-1111-4111-8111-111111111111'
export const PURCHASE = '22222222-2222-4222-8222-222222222222'
export const USER = '33333333-3333-4333-8333-333333333333'
export const PACK = '44444444-4444-4444-8444-444444444444'
export const PLAN = '55555555-5555-4555-8555-555555555555'
export const GRANT = '66666666-6666-4666-8666-666666666666'
export const REFUND = '77777777-7777-4777-8777-777777777777'
export const LATER_REFUND = '88888888-8888-4888-8888-888888888888'

/** Seconds of one minute, as the provider counts. */
export const second = (n: number) => `2026-03-01T10:00:${String(n).padStart(2, '0')}.000Z`

export function purchaseStarted(purchaseId = PURCHASE, companyId = COMPANY): PurchaseEvent {
  const price = { creditsMicros: '1000000000', price: '10', currency: 'usd', validDays: null }
  const data = { purchaseId, companyId, userId: USER, packId: PACK, ...price, startedAt: second(0) }
  return { type: 'PurchaseStarted', data }
}

export function purchaseCompleted(purchaseId = PURCHASE, companyId = COMPANY): PurchaseEvent {
  const payment = { sessionId: 'cs_1', paymentIntentId: 'pi_1', paidMinor: '1000', currency: 'usd' }
  const credits = { grantId: GRANT, creditsMicros: '1000000000', expiresAt: null }
  return {
    type: 'PurchaseCompleted',
    data: { purchaseId, companyId, ...payment, ...credits, completedAt: second(5) },
  }
}

export function disputeFacts(changes: Partial<DisputeFacts> = {}): DisputeFacts {
  return {
    status: 'NEEDS_RESPONSE',
    isInquiry: false,
    amountMinor: '1000',
    currency: 'usd',
    reason: 'fraudulent',
    respondBy: '2026-03-10T10:00:00.000Z',
    ...changes,
  }
}

/** Of the payment for the purchase. */
export function disputeOpened(
  disputeId = 'du_1',
  companyId = COMPANY,
): Extract<DisputeEvent, { type: 'DisputeOpened' }> {
  const paid = { chargeId: 'ch_1', paymentIntentId: 'pi_1', purchaseId: PURCHASE, invoiceId: null }
  const payment = { ...paid, chargedMinor: '1000', currency: 'usd' }
  const report = { facts: disputeFacts(), saidAt: second(6), askedAt: null }
  return { type: 'DisputeOpened', data: { disputeId, companyId, payment, ...report, openedAt: second(6) } }
}

export function subscriptionFacts(changes: Partial<SubscriptionFacts> = {}): SubscriptionFacts {
  return {
    status: 'ACTIVE',
    planId: PLAN,
    startedAt: second(0),
    endedAt: null,
    trialEndAt: null,
    periodEndAt: '2026-04-01T10:00:00.000Z',
    cancelAtPeriodEnd: false,
    ...changes,
  }
}

export function invoiceFacts(changes: Partial<InvoiceFacts> = {}): InvoiceFacts {
  return {
    status: 'OPEN',
    providerInvoiceId: 'in_1',
    subscriptionId: 'sub_1',
    amountMinor: '4900',
    currency: 'usd',
    issuedAt: second(0),
    dueAt: '2026-03-15T10:00:00.000Z',
    paidAt: null,
    payUrl: 'https://pay.example/in_1',
    pdfUrl: 'https://pay.example/in_1/pdf',
    ...changes,
  }
}
