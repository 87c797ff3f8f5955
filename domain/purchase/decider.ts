import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import { creditsTakenBack, isMoreThan, type RefundSoFar } from '../refund.ts'

export type PurchaseState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'pending' | 'completed' | 'failed' | 'expired'
      readonly companyId: string
      readonly creditsMicros: bigint
      /** The largest refund seen; it waits until the purchase is completed. */
      readonly refund: RefundSoFar | null
      readonly takenBackMicros: bigint
    }

export function evolve(state: PurchaseState, event: PurchaseEvent): PurchaseState {
  if (event.type === 'PurchaseStarted') {
    const { companyId, creditsMicros } = event.data
    return {
      status: 'pending',
      companyId,
      creditsMicros: BigInt(creditsMicros),
      refund: null,
      takenBackMicros: 0n,
    }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'PurchaseCheckoutOpened':
      return state
    case 'PurchaseCompleted':
      return { ...state, status: 'completed' }
    case 'PurchaseFailed':
      return { ...state, status: 'failed' }
    case 'PurchaseExpired':
      return { ...state, status: 'expired' }
    case 'PurchaseRefundSeen': {
      const { chargedMinor, refundedMinor } = event.data
      return { ...state, refund: { chargedMinor, refundedMinor } }
    }
    case 'PurchaseCreditsTakenBack':
      return { ...state, takenBackMicros: BigInt(event.data.totalMicros) }
    default:
      return unexpected(event)
  }
}

export type PurchaseCommand =
  | {
      readonly type: 'StartPurchase'
      readonly purchaseId: string
      readonly companyId: string
      readonly userId: string
      readonly packId: string
      readonly creditsMicros: string
      readonly price: string
      readonly currency: string
      /** The checkout session at the provider. It is opened first, so that a purchase without one never exists. */
      readonly sessionId: string
      readonly expiresAt: string
      readonly at: string
    }
  | {
      readonly type: 'CompletePurchase'
      readonly purchaseId: string
      readonly sessionId: string
      readonly paymentIntentId: string | null
      readonly paidMinor: string
      readonly currency: string
      readonly grantId: string
      /** The id of the ledger refund, in case a refund was waiting for the grant. */
      readonly refundId: string
      readonly saidAt: string
    }
  | {
      readonly type: 'FailPurchase'
      readonly purchaseId: string
      readonly reason: string
      readonly at: string
    }
  | { readonly type: 'ExpirePurchase'; readonly purchaseId: string; readonly at: string }
  | {
      readonly type: 'RefundPurchase'
      readonly purchaseId: string
      readonly refund: RefundSoFar
      readonly refundId: string
      readonly saidAt: string
    }

export function decide(command: PurchaseCommand, state: PurchaseState): PurchaseEvent[] {
  const { purchaseId } = command
  if (command.type === 'StartPurchase') {
    if (state.status !== 'unknown') throw new Refusal('CONFLICT', `purchase ${purchaseId} exists already`)
    const { type, at, sessionId, expiresAt, ...data } = command
    const { companyId } = data
    return [
      { type: 'PurchaseStarted', data: { ...data, startedAt: at } },
      { type: 'PurchaseCheckoutOpened', data: { purchaseId, companyId, sessionId, openedAt: at, expiresAt } },
    ]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no purchase ${purchaseId}`)
  const { companyId } = state
  switch (command.type) {
    case 'CompletePurchase': {
      if (state.status === 'completed') return []
      const { sessionId, paymentIntentId, paidMinor, currency, grantId, refundId, saidAt } = command
      const payment = { sessionId, paymentIntentId, paidMinor, currency }
      const credits = { grantId, creditsMicros: state.creditsMicros.toString() }
      return [
        { type: 'PurchaseCompleted', data: { purchaseId, companyId, ...payment, ...credits, completedAt: saidAt } },
        ...takenBack(purchaseId, { ...state, status: 'completed' }, refundId, saidAt),
      ]
    }
    case 'FailPurchase': {
      if (state.status !== 'pending') return []
      const { reason, at } = command
      return [{ type: 'PurchaseFailed', data: { purchaseId, companyId, reason, failedAt: at } }]
    }
    case 'ExpirePurchase':
      if (state.status !== 'pending') return []
      return [{ type: 'PurchaseExpired', data: { purchaseId, companyId, expiredAt: command.at } }]
    case 'RefundPurchase': {
      const { refund, refundId, saidAt } = command
      if (!isMoreThan(refund, state.refund)) return []
      return [
        { type: 'PurchaseRefundSeen', data: { purchaseId, companyId, ...refund, saidAt } },
        ...takenBack(purchaseId, { ...state, refund }, refundId, saidAt),
      ]
    }
    default:
      return unexpected(command)
  }
}

/** The granted credits that remain to be taken back. */
function takenBack(
  purchaseId: string,
  state: Exclude<PurchaseState, { status: 'unknown' }>,
  refundId: string,
  takenBackAt: string,
): PurchaseEvent[] {
  if (state.status !== 'completed' || !state.refund) return []
  const total = creditsTakenBack(state.creditsMicros, state.refund)
  const amount = total - state.takenBackMicros
  if (amount <= 0n) return []
  const amounts = { amountMicros: amount.toString(), totalMicros: total.toString() }
  const data = { purchaseId, companyId: state.companyId, refundId, ...amounts, takenBackAt }
  return [{ type: 'PurchaseCreditsTakenBack', data }]
}

export const purchaseDecider: Decider<PurchaseState, PurchaseCommand, PurchaseEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
