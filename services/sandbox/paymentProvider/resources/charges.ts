import { z } from 'zod'
import { newId } from '../ids.ts'
import { shownAmount } from '../money/amounts.ts'
import type { Charge, Refund } from '../state/records.ts'
import { previousOf, referred, type Till, theOne } from '../till.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, integer, type Metadata, metadata, readParams, text } from '../wire/params.ts'
import { badParam, cannot } from '../wire/refusal.ts'
import type { ApiRoute } from '../wire/route.ts'

const reason = z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])
const refundCreation = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.refine((amount) => amount >= 1, 'must be at least 1').optional(),
  reason: reason.optional(),
  metadata: metadata.optional(),
})

export const chargeRoutes: readonly ApiRoute[] = [
  { method: 'GET', path: '/v1/payment_intents/:id', handle: (till, _, id) => theOne(till, 'paymentIntent', id) },
  {
    method: 'GET',
    path: '/v1/payment_intents',
    handle: ({ state }, form) =>
      listPage(
        form,
        { customer: text.optional() },
        '/v1/payment_intents',
        state.all('paymentIntent'),
        (intent, { customer }) => customer === undefined || intent.customer === customer,
      ),
  },
  { method: 'GET', path: '/v1/charges/:id', handle: (till, _, id) => theOne(till, 'charge', id) },
  {
    method: 'GET',
    path: '/v1/charges',
    handle: ({ state }, form) =>
      listPage(
        form,
        { customer: text.optional(), payment_intent: text.optional() },
        '/v1/charges',
        state.all('charge'),
        (charge, { customer, payment_intent }) =>
          (customer === undefined || charge.customer === customer) &&
          (payment_intent === undefined || charge.payment_intent === payment_intent),
      ),
  },
  {
    method: 'POST',
    path: '/v1/refunds',
    handle: (till, form) => {
      const { amount, reason, metadata, ...of } = readParams(refundCreation, form)
      return refundCharge(till, chargeOf(till, of), { amount, reason, metadata: changedMetadata({}, metadata) })
    },
  },
  { method: 'GET', path: '/v1/refunds/:id', handle: (till, _, id) => theOne(till, 'refund', id) },
  {
    method: 'GET',
    path: '/v1/refunds',
    handle: ({ state }: Till, form: Form) =>
      listPage(
        form,
        { charge: text.optional(), payment_intent: text.optional() },
        '/v1/refunds',
        state.all('refund'),
        (refund, { charge, payment_intent }) =>
          (charge === undefined || refund.charge === charge) &&
          (payment_intent === undefined || refund.payment_intent === payment_intent),
      ),
  },
]

function chargeOf(till: Till, of: { charge?: string | undefined; payment_intent?: string | undefined }): Charge {
  if (of.charge !== undefined) return referred(till, 'charge', of.charge, 'charge')
  if (of.payment_intent === undefined) {
    throw badParam(
      'charge',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    )
  }
  const intent = referred(till, 'paymentIntent', of.payment_intent, 'payment_intent')
  if (intent.latest_charge === null) {
    throw cannot(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  }
  return referred(till, 'charge', intent.latest_charge, 'payment_intent')
}

export type RefundFacts = {
  /** Without one, all that is left. */
  readonly amount?: number | undefined
  readonly reason?: z.infer<typeof reason> | undefined
  readonly metadata: Metadata
}

/** Gives back a part, or all that is left; the event tells how much it has come to altogether. */
export function refundCharge({ state, now, emit }: Till, before: Charge, facts: RefundFacts): Refund {
  const left = before.amount - before.amount_refunded
  if (left === 0) throw cannot(`Charge ${before.id} has already been refunded.`, 'charge_already_refunded')
  const amount = facts.amount ?? left
  if (amount > left) {
    const shown = (value: number) => shownAmount(value, before.currency)
    throw badParam(
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
  emit('charge.refunded', after, previousOf(before, after))
  return refund
}
