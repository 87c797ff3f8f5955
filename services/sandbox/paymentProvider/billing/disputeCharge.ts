import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import type { Charge, Dispute } from '../state/records.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import { DAY_SECONDS } from './period.ts'
import { shownAmount } from './shownAmount.ts'

export const DISPUTE_REASONS = ['fraudulent', 'product_not_received', 'duplicate', 'general'] as const
/** How a bank decides. `closed` is the end of an inquiry. */
export const DISPUTE_OUTCOMES = ['won', 'lost', 'closed'] as const
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number]
const DAYS_TO_RESPOND = 7

export type DisputeTerms = {
  /** The whole charge by default. */
  readonly amount?: number | undefined
  readonly reason?: (typeof DISPUTE_REASONS)[number] | undefined
  /** The bank only asks: no money moves. */
  readonly inquiry?: boolean | undefined
}

/** The cardholder disputes a charge, which takes its money back until the bank decides. */
export function openDispute(
  { state, now, newId, emit }: ProviderContext,
  charge: Charge,
  terms: DisputeTerms,
): Dispute {
  const amount = terms.amount ?? charge.amount
  if (amount > charge.amount) {
    const shown = (value: number) => shownAmount(value, charge.currency)
    throw invalidParam(
      'amount',
      `Disputed amount (${shown(amount)}) is greater than the charge (${shown(charge.amount)})`,
    )
  }
  const dueBy = now() + DAYS_TO_RESPOND * DAY_SECONDS
  const dispute = state.put('dispute', {
    id: newId('dispute'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    evidence: {},
    evidence_details: { due_by: dueBy, has_evidence: false, past_due: false, submission_count: 0 },
    is_charge_refundable: terms.inquiry ?? false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: terms.reason ?? 'fraudulent',
    status: terms.inquiry ? 'warning_needs_response' : 'needs_response',
  })
  emit('charge.dispute.created', dispute)
  if (!terms.inquiry) emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The bank looks at the evidence. */
export function reviewDispute({ state, emit }: ProviderContext, before: Dispute): Dispute {
  const status = isInquiry(before) ? 'warning_under_review' : 'under_review'
  const evidence_details = { ...before.evidence_details, due_by: null, has_evidence: true, submission_count: 1 }
  const after = state.put('dispute', { ...before, status, evidence_details })
  emit('charge.dispute.updated', after, previousAttributes(before, after))
  return after
}

/** The bank decides. It may decide again, which is rare: after an appeal. */
export function closeDispute({ state, emit }: ProviderContext, before: Dispute, outcome: DisputeOutcome): Dispute {
  if ((outcome === 'closed') !== isInquiry(before)) {
    throw invalidState(`Dispute ${before.id} ${isInquiry(before) ? 'is an inquiry' : 'is no inquiry'}.`)
  }
  const status = outcome === 'closed' ? 'warning_closed' : outcome
  const after = state.put('dispute', {
    ...before,
    status,
    evidence_details: { ...before.evidence_details, due_by: null },
  })
  emit('charge.dispute.closed', after, previousAttributes(before, after))
  if (outcome === 'won') emit('charge.dispute.funds_reinstated', after)
  return after
}

function isInquiry({ status }: Dispute): boolean {
  return status.startsWith('warning_')
}
