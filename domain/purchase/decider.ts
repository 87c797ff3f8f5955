import type { PurchaseEvent } from '../../contracts/events/purchase.ts'
import { type Decider, Refusal, unexpected } from '../decider.ts'
import type { SeenDispute } from '../disputedCredits.ts'
import { evolveGrant, type GrantEvent, type GrantedCredits, NOTHING_GRANTED } from '../grantedCredits.ts'
import {
  adoptCorrections,
  type CorrectionRequest,
  correctCredits,
  type EarlierCorrection,
  type RefundReport,
  reportDispute,
  reportRefund,
  settleGrant,
} from '../grantedCreditsDecisions.ts'

export type PurchaseState =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'pending' | 'completed' | 'failed' | 'expired'
      readonly companyId: string
      readonly creditsMicros: bigint
      /** The credits granted when the purchase was completed, and what happened to them. */
      readonly granted: GrantedCredits
      readonly validDays: number | null
    }

export function evolve(state: PurchaseState, event: PurchaseEvent): PurchaseState {
  if (event.type === 'PurchaseStarted') {
    const { companyId, creditsMicros, validDays } = event.data
    return {
      status: 'pending',
      companyId,
      creditsMicros: BigInt(creditsMicros),
      granted: NOTHING_GRANTED,
      validDays,
    }
  }
  if (state.status === 'unknown') return state
  switch (event.type) {
    case 'PurchaseCheckoutOpened':
      return state
    case 'PurchaseCompleted': {
      const { grantId, creditsMicros } = event.data
      return {
        ...state,
        status: 'completed',
        granted: { ...state.granted, grantId, grantedMicros: BigInt(creditsMicros) },
      }
    }
    case 'PurchaseFailed':
      return { ...state, status: 'failed' }
    case 'PurchaseExpired':
      return { ...state, status: 'expired' }
    case 'PurchaseRefundSeen':
      return { ...state, granted: evolveGrant(state.granted, { type: 'RefundSeen', data: event.data }) }
    case 'PurchaseCreditsTakenBack':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsTakenBack', data: event.data }) }
    case 'PurchaseCreditsCorrected':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsCorrected', data: event.data }) }
    case 'PurchaseDisputeSeen':
      return { ...state, granted: evolveGrant(state.granted, { type: 'DisputeSeen', data: event.data }) }
    case 'PurchaseCreditsWithdrawn':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsWithdrawn', data: event.data }) }
    case 'PurchaseCreditsReinstated':
      return { ...state, granted: evolveGrant(state.granted, { type: 'CreditsReinstated', data: event.data }) }
    default:
      return unexpected(event)
  }
}

type Bought = {
  readonly purchaseId: string
  readonly companyId: string
  readonly userId: string
  readonly packId: string
  readonly creditsMicros: string
  readonly price: string
  readonly currency: string
  /** How many days after the payment the credits can be used; without it, they do not expire. */
  readonly validDays?: number | null
  readonly at: string
}

export type PurchaseCommand =
  | (Bought & {
      readonly type: 'StartPurchase'
      /** The checkout session at the provider. It is opened first, so that a purchase without one never exists. */
      readonly sessionId: string
      readonly expiresAt: string
    })
  /** A purchase that automatic top-up pays without a checkout page. */
  | (Bought & { readonly type: 'StartTopUpPurchase' })
  | {
      readonly type: 'CompletePurchase'
      readonly purchaseId: string
      /** null if it was paid without a checkout page. */
      readonly sessionId: string | null
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
  | (RefundReport & { readonly type: 'RefundPurchase'; readonly purchaseId: string; readonly refundId: string })
  | (CorrectionRequest & { readonly type: 'CorrectCredits'; readonly purchaseId: string })
  | {
      readonly type: 'DisputePurchase'
      readonly purchaseId: string
      readonly dispute: SeenDispute
      /** The id of the ledger refund or adjustment that may follow. */
      readonly refundId: string
    }
  | {
      readonly type: 'AdoptCorrections'
      readonly purchaseId: string
      readonly earlier: readonly EarlierCorrection[]
      /** The id of the adjustment that may follow. */
      readonly refundId: string
      readonly at: string
    }

export function decide(command: PurchaseCommand, state: PurchaseState): PurchaseEvent[] {
  const { purchaseId } = command
  if (command.type === 'StartPurchase') {
    if (state.status !== 'unknown') throw new Refusal('CONFLICT', `purchase ${purchaseId} exists already`)
    const { type, at, sessionId, expiresAt, validDays = null, ...data } = command
    const { companyId } = data
    return [
      { type: 'PurchaseStarted', data: { ...data, validDays, startedAt: at } },
      { type: 'PurchaseCheckoutOpened', data: { purchaseId, companyId, sessionId, openedAt: at, expiresAt } },
    ]
  }
  if (command.type === 'StartTopUpPurchase') {
    if (state.status !== 'unknown') return []
    const { type, at, validDays = null, ...data } = command
    return [{ type: 'PurchaseStarted', data: { ...data, validDays, startedAt: at } }]
  }
  if (state.status === 'unknown') throw new Refusal('NOT_FOUND', `there is no purchase ${purchaseId}`)
  const { companyId } = state
  switch (command.type) {
    case 'CompletePurchase': {
      if (state.status === 'completed') return []
      const { sessionId, paymentIntentId, paidMinor, currency, grantId, refundId, saidAt } = command
      const payment = { sessionId, paymentIntentId, paidMinor, currency }
      const expiresAt = state.validDays === null ? null : daysAfter(saidAt, state.validDays)
      const credits = { grantId, creditsMicros: state.creditsMicros.toString(), expiresAt }
      const data = { purchaseId, companyId, ...payment, ...credits, completedAt: saidAt }
      const completed: PurchaseEvent = { type: 'PurchaseCompleted', data }
      const after = evolve(state, completed) as KnownPurchase
      return [completed, ...ofPurchase(purchaseId, after, settleGrant(after.granted, refundId, saidAt))]
    }
    case 'FailPurchase': {
      if (state.status !== 'pending') return []
      const { reason, at } = command
      return [{ type: 'PurchaseFailed', data: { purchaseId, companyId, reason, failedAt: at } }]
    }
    case 'ExpirePurchase':
      if (state.status !== 'pending') return []
      return [{ type: 'PurchaseExpired', data: { purchaseId, companyId, expiredAt: command.at } }]
    case 'RefundPurchase':
      return ofPurchase(purchaseId, state, reportRefund(state.granted, command, command.refundId))
    case 'DisputePurchase':
      return ofPurchase(purchaseId, state, reportDispute(state.granted, command.dispute, command.refundId))
    case 'CorrectCredits':
      return ofPurchase(purchaseId, state, correctCredits(state.granted, command))
    case 'AdoptCorrections':
      return ofPurchase(purchaseId, state, adoptCorrections(state.granted, command))
    default:
      return unexpected(command)
  }
}

function daysAfter(at: string, days: number): string {
  return new Date(Date.parse(at) + days * DAY_MS).toISOString()
}

const DAY_MS = 86_400_000

type KnownPurchase = Exclude<PurchaseState, { status: 'unknown' }>

function ofPurchase(purchaseId: string, { companyId }: KnownPurchase, events: readonly GrantEvent[]): PurchaseEvent[] {
  return events.map((event) => {
    const about = { purchaseId, companyId }
    switch (event.type) {
      case 'RefundSeen':
        return { type: 'PurchaseRefundSeen', data: { ...about, ...event.data } }
      case 'CreditsTakenBack':
        return { type: 'PurchaseCreditsTakenBack', data: { ...about, ...event.data } }
      case 'CreditsCorrected':
        return { type: 'PurchaseCreditsCorrected', data: { ...about, ...event.data } }
      case 'DisputeSeen':
        return { type: 'PurchaseDisputeSeen', data: { ...about, ...event.data } }
      case 'CreditsWithdrawn':
        return { type: 'PurchaseCreditsWithdrawn', data: { ...about, ...event.data } }
      case 'CreditsReinstated':
        return { type: 'PurchaseCreditsReinstated', data: { ...about, ...event.data } }
      default:
        return unexpected(event)
    }
  })
}

export const purchaseDecider: Decider<PurchaseState, PurchaseCommand, PurchaseEvent> = {
  initialState: () => ({ status: 'unknown' }),
  evolve,
  decide,
}
