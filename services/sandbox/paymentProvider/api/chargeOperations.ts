import { z } from 'zod'
import { REFUND_REASONS, refundCharge } from '../billing/refundCharge.ts'
import type { ProviderContext } from '../providerContext.ts'
import { requireRecord, requireReferenced } from '../state/recordLookup.ts'
import type { Charge } from '../state/records.ts'
import type { Form } from '../wire/formBody.ts'
import { listPage } from '../wire/listPage.ts'
import { changedMetadata, integer, metadata, readParams, text } from '../wire/params.ts'
import { invalidParam, invalidState } from '../wire/paymentApiError.ts'
import type { PaymentOperation } from '../wire/paymentOperation.ts'

const refundCreation = z.strictObject({
  charge: text.optional(),
  payment_intent: text.optional(),
  amount: integer.refine((amount) => amount >= 1, 'must be at least 1').optional(),
  reason: z.enum(REFUND_REASONS).optional(),
  metadata: metadata.optional(),
})

export const chargeOperations: readonly PaymentOperation[] = [
  { method: 'GET', path: '/v1/charges/:id', handle: (context, _, id) => requireRecord(context, 'charge', id) },
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
    handle: (context, form) => {
      const { amount, reason, metadata, ...of } = readParams(refundCreation, form)
      return refundCharge(context, chargeOf(context, of), { amount, reason, metadata: changedMetadata({}, metadata) })
    },
  },
  { method: 'GET', path: '/v1/refunds/:id', handle: (context, _, id) => requireRecord(context, 'refund', id) },
  {
    method: 'GET',
    path: '/v1/refunds',
    handle: ({ state }: ProviderContext, form: Form) =>
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

function chargeOf(
  context: ProviderContext,
  of: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  if (of.charge !== undefined) return requireReferenced(context, 'charge', of.charge, 'charge')
  if (of.payment_intent === undefined) {
    throw invalidParam(
      'charge',
      'One of the following params should be provided for this request: payment_intent or charge.',
      'parameter_missing',
    )
  }
  const intent = requireReferenced(context, 'paymentIntent', of.payment_intent, 'payment_intent')
  if (intent.latest_charge === null) {
    throw invalidState(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  }
  return requireReferenced(context, 'charge', intent.latest_charge, 'payment_intent')
}
