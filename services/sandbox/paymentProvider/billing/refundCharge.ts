import { previousAttributes } from '../events/previousAttributes.ts'
import type { ProviderContext } from '../providerContext.ts'
import type { Charge, Refund } from '../state/records.ts'
import type { Metadata } from '../wire/params.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import { shownAmount } from './shownAmount.ts'

export const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer'] as const

export type RefundFacts = {
  /** All that has not been refunded yet, by default. */
  readonly amount?: number | undefined
  readonly reason?: (typeof REFUND_REASONS)[number] | undefined
  readonly metadata: Metadata
}

/** Refunds part of a charge, or the rest. The event carries the total that was refunded so far. */
export function refundCharge({ state, now, newId, emit }: ProviderContext, before: Charge, facts: RefundFacts): Refund {
  const left = before.amount - before.amount_refunded
  if (left === 0) throw invalidState(`Charge ${before.id} has already been refunded.`, 'charge_already_refunded')
  const amount = facts.amount ?? left
  if (amount > left) {
    const shown = (value: number) => shownAmount(value, before.currency)
    throw invalidParam(
      'amount',
      `Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`,
    )
  }
  const refund = state.put('refund', {
    id: newId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: before.id,
    created: now(),
    currency: before.currency,
    destination_details: { card: { type: 'refund' }, type: 'card' },
    metadata: facts.metadata,
    payment_intent: before.payment_intent,
    reason: facts.reason ?? null,
    receipt_number: null,
    status: 'succeeded',
  })
  const after = state.put('charge', {
    ...before,
    amount_refunded: before.amount_refunded + amount,
    refunded: amount === left,
  })
  emit('charge.refunded', after, previousAttributes(before, after))
  return refund
}

/**
 * The bank could not pay the refund out, which a provider learns days later: the money is back on the account. The webhook
 * endpoint is not required to be registered for the event of it.
 */
export function failRefund({ state, emit }: ProviderContext, before: Refund): Refund {
  if (before.status === 'failed') throw invalidState(`Refund ${before.id} has already failed.`)
  const charge = state.get('charge', before.charge)
  if (charge) {
    state.put('charge', { ...charge, amount_refunded: charge.amount_refunded - before.amount, refunded: false })
  }
  const failed = state.put('refund', { ...before, status: 'failed', failure_reason: 'lost_or_stolen_card' })
  emit('charge.refund.updated', failed, previousAttributes(before, failed))
  return failed
}
